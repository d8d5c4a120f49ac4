// Signature schemes with their verdicts, certificates, lineage. Knows the report only.
import type { ReactNode } from 'react';
import type { AndroguardReport, CertificateRecord, SchemeVerdict } from '../../../server/contract/reports.ts';
import { Chip } from '../../components/chip.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { formatSize, splitDistinguishedName } from '../../components/format.ts';
import { HostileText } from '../../components/hostile-text.tsx';
import { TableHead } from '../../components/table.tsx';
import { formatCount } from '../../counted.ts';
import { texts } from '../../texts.ts';
import styles from './parts.module.css';
import { Validity } from './validity.tsx';

/** A signature block may hold any number of certificates and messages. */
const maxShown = 50;

function Distinguished({ name }: { name: string }) {
  const parts = splitDistinguishedName(name).slice(0, maxShown);
  if (parts.length === 0) return '–';
  return (
    <span className={styles.names}>
      {parts.map(({ key, value }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a name may hold the same attribute twice
        <span key={index}>
          <span className={styles.faint}>{key}</span> <HostileText value={value} max={120} />
        </span>
      ))}
    </span>
  );
}

function Digest({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <code className={styles.wrap}>{value}</code> <CopyButton text={value} what={name} />
      </dd>
    </>
  );
}

function Certificate({
  certificate,
  title,
  children,
}: {
  certificate: CertificateRecord;
  title: string;
  children?: ReactNode;
}) {
  const { signature } = texts;
  return (
    <section className={styles.card}>
      <h3>
        {title}
        {children}
      </h3>
      <dl className={styles.facts}>
        <dt>{signature.subject}</dt>
        <dd>
          <Distinguished name={certificate.subjectDN} />
        </dd>
        <dt>{signature.issuer}</dt>
        <dd>
          {certificate.issuerDN === certificate.subjectDN ? (
            signature.selfSigned
          ) : (
            <Distinguished name={certificate.issuerDN} />
          )}
        </dd>
        <dt>{signature.valid}</dt>
        <dd>
          <Validity certificate={certificate} />
        </dd>
        <dt>{signature.key}</dt>
        <dd>
          {certificate.public_key}, {certificate.signature_algorithm}
        </dd>
        <Digest name={signature.serial} value={certificate.serial} />
        <Digest name="SHA-1" value={certificate.sha1} />
        <Digest name="SHA-256" value={certificate.sha256} />
        <Digest name={signature.keySha256} value={certificate.public_key_sha256} />
      </dl>
    </section>
  );
}

/** Messages by their code: hundreds of unprotected entries are one fact, unfolded on demand. */
function Messages({ list, tone }: { list: readonly { code: string; message: string }[]; tone: 'high' | 'medium' }) {
  const byCode = Map.groupBy(list, ({ code }) => code);
  return [...byCode].slice(0, maxShown).map(([code, messages]) => {
    const chip = (
      <Chip tone={tone}>
        <HostileText value={code} max={60} isFixed />
      </Chip>
    );
    if (messages.length === 1) {
      return (
        <li key={code}>
          {chip} <HostileText value={messages[0]!.message} />
        </li>
      );
    }
    return (
      <li key={code}>
        <details>
          <summary>
            {chip} {texts.signature.messages(messages.length)}
          </summary>
          <ul className={styles.messages}>
            {messages.slice(0, maxShown).map(({ message }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: messages never change places, and equal ones may repeat
              <li key={index}>
                <HostileText value={message} />
              </li>
            ))}
          </ul>
          {messages.length > maxShown && texts.signature.moreMessages(messages.length - maxShown)}
        </details>
      </li>
    );
  });
}

function verdictOf(scheme: SchemeVerdict): ReactNode {
  const { signature } = texts;
  if (!scheme.present) return <Chip tone="quiet">{signature.absent}</Chip>;
  if (scheme.verified === null) return <Chip tone="quiet">{signature.unchecked}</Chip>;
  return scheme.verified ? (
    <Chip tone="good" icon="check">
      {signature.verifies}
    </Chip>
  ) : (
    <Chip tone="high" icon="warning">
      {signature.fails}
    </Chip>
  );
}

export function SignatureTab({ report }: { report: AndroguardReport }) {
  const { signature } = report;
  return (
    <div className={styles.padded}>
      <section className={styles.card}>
        <h2>
          <Chip tone={signature.verified ? 'good' : 'high'} icon={signature.verified ? 'shieldCheck' : 'warning'}>
            {signature.verified ? texts.signature.verified : texts.signature.notVerified}
          </Chip>
          <span className={styles.note}>{texts.signature.since(signature.min_sdk_version)}</span>
        </h2>
        {signature.errors.length > 0 && (
          <ul className={styles.messages}>
            <Messages list={signature.errors} tone="high" />
          </ul>
        )}
        <table className={styles.table} data-testid="schemes">
          <TableHead columns={texts.signature.columns} />
          <tbody>
            {signature.schemes.map((scheme) => (
              <tr key={scheme.scheme}>
                <th scope="row">{scheme.scheme}</th>
                <td>{verdictOf(scheme)}</td>
                <td>
                  <HostileText
                    value={[...new Set(scheme.signers.flatMap(({ algorithms }) => algorithms))].join(', ') || '–'}
                  />
                </td>
                <td className="tabular">{scheme.present ? scheme.signers.length : '–'}</td>
                <td>
                  <ul className={styles.messages}>
                    <Messages list={scheme.errors} tone="high" />
                    <Messages list={scheme.warnings} tone="medium" />
                  </ul>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {signature.signers.slice(0, maxShown).map((chain, signer) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: signers never change places
        <div key={signer} className={styles.cards}>
          {chain.slice(0, maxShown).map((certificate, index) => (
            <Certificate
              // biome-ignore lint/suspicious/noArrayIndexKey: a chain may hold a certificate twice
              key={index}
              certificate={certificate}
              title={
                index === 0
                  ? texts.signature.signer(signer + 1, signature.signers.length)
                  : texts.signature.chain(index)
              }
            />
          ))}
        </div>
      ))}
      {signature.signers.length === 0 && report.certificate !== null && (
        <div className={styles.cards}>
          <Certificate certificate={report.certificate} title={texts.signature.unverifiedCertificate} />
        </div>
      )}
      {signature.lineage.length > 0 && (
        <>
          <h2 className={styles.heading}>{texts.signature.lineage}</h2>
          <ol className={styles.lineage}>
            {signature.lineage.slice(0, maxShown).map(({ certificate, flags }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the order is the lineage
              <li key={index}>
                <Certificate certificate={certificate} title={texts.signature.generation(index + 1)}>
                  {flags.map((flag) => (
                    <Chip key={flag} tone="quiet">
                      {flag}
                    </Chip>
                  ))}
                </Certificate>
              </li>
            ))}
          </ol>
        </>
      )}
      {signature.source_stamp !== null && (
        <>
          <h2 className={styles.heading}>
            {texts.signature.stamp}{' '}
            <Chip tone={signature.source_stamp.verified ? 'good' : 'medium'}>
              {signature.source_stamp.verified ? texts.signature.verifies : texts.signature.fails}
            </Chip>
          </h2>
          <ul className={styles.messages}>
            <Messages list={signature.source_stamp.errors} tone="medium" />
          </ul>
          <div className={styles.cards}>
            {signature.source_stamp.certificates.slice(0, maxShown).map((certificate, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: certificates never change places
              <Certificate key={index} certificate={certificate} title={texts.signature.chain(index)} />
            ))}
          </div>
        </>
      )}
      {signature.signing_block.length > 0 && (
        <>
          <h2 className={styles.heading}>{texts.signature.block}</h2>
          <table className={`${styles.table} ${styles.narrow}`}>
            <tbody>
              {signature.signing_block.slice(0, maxShown).map(({ id, name, size }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: pairs never change places, ids may repeat
                <tr key={index}>
                  <td>
                    <code>{id}</code>
                  </td>
                  <td>{name === '' ? texts.signature.unknownPair : name}</td>
                  <td className="tabular">{formatSize(size)}</td>
                </tr>
              ))}
            </tbody>
          </table>
          {signature.signing_block.length > maxShown && formatCount(signature.signing_block.length)}
        </>
      )}
    </div>
  );
}
