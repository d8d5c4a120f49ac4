// Signers of the APKs in the catalogue, and which of them are trusted.
import { useState } from 'react';
import { Link } from 'react-router';
import { useSignerJudgement, useSigners } from '../../api/administration-queries.ts';
import styles from '../../components/page/section-page.module.css';
import { Group } from '../../components/page/section-page.tsx';
import { Segments } from '../../components/page/segments.tsx';
import { QueryState } from '../../components/page/state-panel.tsx';
import { searchAddress } from '../../components/place/catalogue-address.ts';
import { PageSteps } from '../../components/table/page-steps.tsx';
import { NumberCell, Table } from '../../components/table/table.tsx';
import { formatCount } from '../../components/text/counted.ts';
import { HostileText } from '../../components/text/hostile-text.tsx';
import { administrationTexts as words } from './texts.ts';

export function SignersSection() {
  const [page, setPage] = useState(1);
  const signers = useSigners(page);
  const judge = useSignerJudgement();
  if (!signers.isSuccess) return <QueryState query={signers} />;
  const { results } = signers.data;
  return (
    <Group title={words.sections.signers} note={words.signersNote}>
      {results.length === 0 ? (
        <p className={styles.empty}>{words.noSigners}</p>
      ) : (
        <Table
          columns={[
            words.signerColumns.company,
            words.signerColumns.certificate,
            { label: words.signerColumns.apks, as: 'number' },
            words.signerColumns.judged,
          ]}
        >
          {results.map((signer) => {
            const name = signer.company === '' ? words.unnamedSigner : signer.company;
            return (
              <tr key={signer.sha256} data-testid="signer">
                <td>
                  <HostileText value={name} max={80} isFixed />
                </td>
                <td>
                  <code className={styles.wrap}>{signer.sha256}</code>
                </td>
                <NumberCell>
                  <Link to={searchAddress(signer.search)}>{formatCount(signer.apks_count)}</Link>
                </NumberCell>
                <td>
                  <Segments
                    label={words.judgementOf(`${name} ${signer.sha256.slice(0, 8)}`)}
                    labels={words.judgements}
                    value={signer.is_bad ? 'bad' : signer.is_trusted ? 'good' : 'none'}
                    onChange={(word) => judge.mutate({ sha256: signer.sha256, word })}
                  />
                </td>
              </tr>
            );
          })}
        </Table>
      )}
      <div className={styles.actions}>
        <PageSteps page={page} list={signers.data} onPage={setPage} />
      </div>
    </Group>
  );
}
