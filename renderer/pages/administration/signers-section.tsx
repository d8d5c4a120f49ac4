// Signers of the APKs in the catalogue, and which of them are trusted.
import { Button, Switch } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { useSigners, useSignerTrust } from '../../api/administration-queries.ts';
import { tellError } from '../../components/form/tell-error.ts';
import styles from '../../components/page/section-page.module.css';
import { Group } from '../../components/page/section-page.tsx';
import { ErrorPanel, LoadingPanel } from '../../components/page/state-panel.tsx';
import { searchAddress } from '../../components/place/catalogue-address.ts';
import { NumberCell, Table } from '../../components/table/table.tsx';
import { formatCount } from '../../components/text/counted.ts';
import { HostileText } from '../../components/text/hostile-text.tsx';
import { analystsTexts } from '../analysts/texts.ts';
import { administrationTexts as words } from './texts.ts';

export function SignersSection() {
  const [page, setPage] = useState(1);
  const signers = useSigners(page);
  const trust = useSignerTrust();
  if (signers.isPending) return <LoadingPanel />;
  if (signers.isError) return <ErrorPanel error={signers.error} onRetry={() => void signers.refetch()} />;
  const { results, next, previous } = signers.data;
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
            words.signerColumns.trusted,
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
                  <code>{signer.sha1}</code>
                </td>
                <NumberCell>
                  <Link to={searchAddress(signer.search)}>{formatCount(signer.apks_count)}</Link>
                </NumberCell>
                <td>
                  <Switch
                    aria-label={words.trustOf(`${name} ${signer.sha1.slice(0, 8)}`)}
                    checked={signer.is_trusted}
                    onChange={(event) =>
                      trust.mutate(
                        { sha256: signer.sha256, isTrusted: event.currentTarget.checked },
                        { onError: tellError },
                      )
                    }
                  />
                </td>
              </tr>
            );
          })}
        </Table>
      )}
      {(next !== null || previous !== null) && (
        <div className={styles.actions}>
          <Button variant="default" disabled={previous === null} onClick={() => setPage(page - 1)}>
            {analystsTexts.earlier}
          </Button>
          <Button variant="default" disabled={next === null} onClick={() => setPage(page + 1)}>
            {analystsTexts.later}
          </Button>
        </div>
      )}
    </Group>
  );
}
