// Which APK to compare one with: others of its package, others by its signer, or any by its hash.
import { Button, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import type { Apk, ApkDetail } from '../../../server/contract/catalogue/apk.ts';
import { useReportPart } from '../../api/apk-queries.ts';
import { catalogueHeadOptions } from '../../api/queries.ts';
import { submitting } from '../../components/form/submitting.ts';
import { Page, ScrollRegion } from '../../components/page/page.tsx';
import { LoadingPanel, QueryState } from '../../components/page/state-panel.tsx';
import { fieldSearch, searchAddress } from '../../components/place/catalogue-address.ts';
import { compareAddress } from '../../components/place/place-address.ts';
import { ApkSide } from './apk-side.tsx';
import styles from './compare.module.css';
import { compareTexts } from './texts.ts';

const words = compareTexts.choose;

function ByHash({ sha256 }: { sha256: string }) {
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const go = () => {
    const hash = typed.trim().toLowerCase();
    if (!/^[0-9a-f]{64}$/.test(hash)) setFault(words.notHash);
    else if (hash === sha256) setFault(words.self);
    else void navigate(compareAddress(sha256, hash));
  };
  return (
    <form className={styles.byHash} onSubmit={submitting(go)}>
      <TextInput
        label={words.hash}
        value={typed}
        error={fault}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setFault(null);
        }}
      />
      <Button type="submit">{words.go}</Button>
    </form>
  );
}

interface OthersProps {
  sha256: string;
  title: string;
  /** null: there is nothing to look for. */
  search: string | null;
  /** Said in that case. */
  without: string;
  isWanted: (apk: Apk) => boolean;
}

function Others({ sha256, title, search, without, isWanted }: OthersProps) {
  const found = useQuery({ ...catalogueHeadOptions({ search: search ?? '', ordering: '' }), enabled: search !== null });
  const others = found.data?.results.filter((apk) => apk.sha256 !== sha256 && isWanted(apk)) ?? [];
  return (
    <section className={styles.others}>
      <h2>{title}</h2>
      {search === null ? (
        <p className={styles.soft}>{without}</p>
      ) : !found.isSuccess ? (
        <QueryState query={found} />
      ) : others.length === 0 ? (
        <p className={styles.soft}>{words.none}</p>
      ) : (
        <>
          <ul aria-label={title}>
            {others.map((apk) => (
              <li key={apk.sha256}>
                <ApkSide apk={apk} address={compareAddress(sha256, apk.sha256)} />
              </li>
            ))}
          </ul>
          {found.data.next !== null && <Link to={searchAddress(search)}>{words.all}</Link>}
        </>
      )}
    </section>
  );
}

export function ChooseOther({ apk }: { apk: ApkDetail }) {
  const report = useReportPart(apk.sha256, 'androguard');
  // The certificate by which the catalogue knows the signer.
  const certificate = report.data?.certificate ?? null;
  const ofPackage = fieldSearch('package', apk.package_name);
  return (
    <Page title={compareTexts.withOther}>
      <ApkSide apk={apk} address={`/apks/${apk.sha256}`} />
      <ScrollRegion label={compareTexts.withOther}>
        <ByHash sha256={apk.sha256} />
        <p className={styles.soft}>{words.hint}</p>
        <Others
          sha256={apk.sha256}
          title={words.versions}
          search={ofPackage}
          without={words.noPackage}
          isWanted={({ package_name }) => package_name === apk.package_name}
        />
        {report.isPending ? (
          <LoadingPanel />
        ) : (
          <Others
            sha256={apk.sha256}
            title={words.signer}
            search={certificate === null ? null : `cert:${certificate.sha256.toLowerCase()}`}
            without={words.noSigner}
            isWanted={({ package_name }) => ofPackage === null || package_name !== apk.package_name}
          />
        )}
      </ScrollRegion>
    </Page>
  );
}
