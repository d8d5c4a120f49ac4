// Signature schemes with their results, certificates, lineage. Knows the report only.
import type { ReactNode } from 'react';
import type { AndroguardReport, CertificateRecord, SchemeVerdict } from '../../../../server/contract/engine/reports.ts';
import { useMay } from '../../../api/queries.ts';
import { TableHead } from '../../../components/table/table.tsx';
import { Chip } from '../../../components/text/chip.tsx';
import { CopyButton } from '../../../components/text/copy-button.tsx';
import { formatCount } from '../../../components/text/counted.ts';
import { formatSize, splitDistinguishedName } from '../../../components/text/format.ts';
import { HostileText } from '../../../components/text/hostile-text.tsx';
import shared from '../parts.module.css';
import type { ReportPartProps } from '../parts.tsx';
import { Validity } from '../validity.tsx';
import styles from './signature.module.css';
import { SignerJudgement } from './signer-judgement.tsx';
import { signatureTexts, signatureVerdict } from './texts.ts';

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
          <span className={shared.faint}>{key}</span> <HostileText value={value} max={120} />
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
        <code className={shared.wrap}>{value}</code> <CopyButton text={value} what={name} />
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
  return (
    <section className={shared.card}>
      <h3>
        {title}
        {children}
      </h3>
      <dl className={shared.facts}>
        <dt>{signatureTexts.subject}</dt>
        <dd>
          <Distinguished name={certificate.subjectDN} />
        </dd>
        <dt>{signatureTexts.issuer}</dt>
        <dd>
          {certificate.issuerDN === certificate.subjectDN ? (
            signatureTexts.selfSigned
          ) : (
            <Distinguished name={certificate.issuerDN} />
          )}
        </dd>
        <dt>{signatureTexts.valid}</dt>
        <dd>
          <Validity certificate={certificate} />
        </dd>
        <dt>{signatureTexts.key}</dt>
        <dd>
          {certificate.public_key}, {certificate.signature_algorithm}
        </dd>
        <Digest name={signatureTexts.serial} value={certificate.serial} />
        <Digest name="SHA-256" value={certificate.sha256.toLowerCase()} />
        <Digest name="SHA-1" value={certificate.sha1.toLowerCase()} />
        <Digest name={signatureTexts.keySha256} value={certificate.public_key_sha256} />
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
            {chip} {signatureTexts.messages(messages.length)}
          </summary>
          <ul className={styles.messages}>
            {messages.slice(0, maxShown).map(({ message }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: messages never change places, and equal ones may repeat
              <li key={index}>
                <HostileText value={message} />
              </li>
            ))}
          </ul>
          {messages.length > maxShown && signatureTexts.moreMessages(messages.length - maxShown)}
        </details>
      </li>
    );
  });
}

function verdictOf(scheme: SchemeVerdict): ReactNode {
  if (!scheme.present) return <Chip tone="quiet">{signatureTexts.absent}</Chip>;
  if (scheme.verified === null) return <Chip tone="quiet">{signatureTexts.unchecked}</Chip>;
  return scheme.verified ? (
    <Chip tone="good" icon="check">
      {signatureTexts.verifies}
    </Chip>
  ) : (
    <Chip tone="high" icon="warning">
      {signatureTexts.fails}
    </Chip>
  );
}

type Signature = AndroguardReport['signature'];

function Schemes({ signature }: { signature: Signature }) {
  return (
    <section className={shared.card}>
      <h2>
        <Chip tone={signature.verified ? 'good' : 'high'} icon={signature.verified ? 'shieldCheck' : 'warning'}>
          {signatureVerdict(signature)}
        </Chip>
        <span className={shared.note}>{signatureTexts.since(signature.min_sdk_version)}</span>
      </h2>
      {signature.errors.length > 0 && (
        <ul className={styles.messages}>
          <Messages list={signature.errors} tone="high" />
        </ul>
      )}
      <table className={shared.table} data-testid="schemes">
        <TableHead columns={signatureTexts.columns} />
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
  );
}

/** The keys that an app was signed by, the oldest first. */
function Lineage({ keys }: { keys: Signature['lineage'] }) {
  return (
    <>
      <h2 className={styles.heading}>{signatureTexts.lineage}</h2>
      <ol className={styles.lineage}>
        {keys.slice(0, maxShown).map(({ certificate, flags }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the order is the lineage
          <li key={index}>
            <Certificate certificate={certificate} title={signatureTexts.generation(index + 1)}>
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
  );
}

function SourceStamp({ stamp }: { stamp: NonNullable<Signature['source_stamp']> }) {
  return (
    <>
      <h2 className={styles.heading}>
        {signatureTexts.stamp}{' '}
        <Chip tone={stamp.verified ? 'good' : 'medium'}>
          {stamp.verified ? signatureTexts.verifies : signatureTexts.fails}
        </Chip>
      </h2>
      <ul className={styles.messages}>
        <Messages list={stamp.errors} tone="medium" />
      </ul>
      <div className={styles.cards}>
        {stamp.certificates.slice(0, maxShown).map((certificate, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: certificates never change places
          <Certificate key={index} certificate={certificate} title={signatureTexts.chain(index)} />
        ))}
      </div>
    </>
  );
}

function SigningBlock({ pairs }: { pairs: Signature['signing_block'] }) {
  return (
    <>
      <h2 className={styles.heading}>{signatureTexts.block}</h2>
      <table className={`${shared.table} ${shared.narrow}`}>
        <tbody>
          {pairs.slice(0, maxShown).map(({ id, name, size }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: pairs never change places, ids may repeat
            <tr key={index}>
              <td>
                <code>{id}</code>
              </td>
              <td>{name === '' ? signatureTexts.unknownPair : name}</td>
              <td className="tabular">{formatSize(size)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {pairs.length > maxShown && formatCount(pairs.length)}
    </>
  );
}

export function Component({ apk, report }: ReportPartProps) {
  const { signature } = report;
  const may = useMay();
  /** The certificate by which the catalogue knows the signer. */
  const certificate = report.certificate?.sha256.toLowerCase();
  return (
    <div className={shared.padded}>
      <Schemes signature={signature} />
      {signature.signers.slice(0, maxShown).map((chain, signer) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: signers never change places
        <div key={signer} className={styles.cards}>
          {chain.slice(0, maxShown).map((cert, index) => (
            <Certificate
              // biome-ignore lint/suspicious/noArrayIndexKey: a chain may hold a certificate twice
              key={index}
              certificate={cert}
              title={
                index === 0 ? signatureTexts.signer(signer + 1, signature.signers.length) : signatureTexts.chain(index)
              }
            >
              {index === 0 && cert.sha256.toLowerCase() === certificate && may('apk.trust') && (
                <SignerJudgement apk={apk} certificate={certificate} />
              )}
            </Certificate>
          ))}
        </div>
      ))}
      {signature.signers.length === 0 && report.certificate !== null && (
        <div className={styles.cards}>
          <Certificate certificate={report.certificate} title={signatureTexts.unverifiedCertificate} />
        </div>
      )}
      {signature.lineage.length > 0 && <Lineage keys={signature.lineage} />}
      {signature.source_stamp !== null && <SourceStamp stamp={signature.source_stamp} />}
      {signature.signing_block.length > 0 && <SigningBlock pairs={signature.signing_block} />}
    </div>
  );
}
