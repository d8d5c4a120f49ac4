// Which APK to compare one with: found by a search, or one of its package, its signer or its name.
import { TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import type { Apk, ApkDetail } from '../../../server/contract/catalogue/apk.ts';
import { useReportPart } from '../../api/apk-queries.ts';
import { catalogueHeadOptions } from '../../api/queries.ts';
import { queryClient } from '../../api/query-client.ts';
import { Page, ScrollRegion } from '../../components/page/page.tsx';
import { LoadingPanel, QueryState } from '../../components/page/state-panel.tsx';
import { Icon } from '../../components/picture/icon.tsx';
import { fieldSearch, searchAddress } from '../../components/place/catalogue-address.ts';
import { compareAddress } from '../../components/place/place-address.ts';
import { ApkSide } from './apk-side.tsx';
import styles from './compare.module.css';
import { searchOf } from './search-of.ts';
import { compareTexts } from './texts.ts';

const words = compareTexts.choose;
/** Milliseconds without a key after which the catalogue is searched. */
const searchDelay = 200;

interface OthersProps {
  sha256: string;
  title: string;
  /** null: there is nothing to look for. */
  search: string | null;
  /** Said in that case. */
  without?: string;
  isWanted?: (apk: Apk) => boolean;
}

function Others({ sha256, title, search, without, isWanted = () => true }: OthersProps) {
  const found = useQuery({ ...catalogueHeadOptions({ search: search ?? '', ordering: '' }), enabled: search !== null });
  const others = found.data?.results.filter((apk) => apk.sha256 !== sha256 && isWanted(apk)) ?? [];
  const isItself = others.length === 0 && found.data?.results[0]?.sha256 === sha256;
  return (
    <section className={styles.others}>
      <h2>{title}</h2>
      {search === null ? (
        <p className={styles.soft}>{without}</p>
      ) : !found.isSuccess ? (
        <QueryState query={found} />
      ) : others.length === 0 ? (
        <p className={styles.soft}>{isItself && without === undefined ? words.self : words.none}</p>
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

/** Before anything is typed: the APKs that one most often compares this one with. */
function Suggestions({ apk }: { apk: ApkDetail }) {
  const report = useReportPart(apk.sha256, 'androguard');
  // The certificate by which the catalogue knows the signer.
  const certificate = report.data?.certificate ?? null;
  const ofPackage = fieldSearch('package', apk.package_name);
  const isOfPackage = ({ package_name }: Apk) => ofPackage !== null && package_name === apk.package_name;
  return (
    <>
      <Others
        sha256={apk.sha256}
        title={words.versions}
        search={ofPackage}
        without={words.noPackage}
        isWanted={isOfPackage}
      />
      {report.isPending ? (
        <LoadingPanel />
      ) : (
        <Others
          sha256={apk.sha256}
          title={words.signer}
          search={certificate === null ? null : `cert:${certificate.sha256.toLowerCase()}`}
          without={words.noSigner}
          isWanted={(one) => !isOfPackage(one)}
        />
      )}
      <Others
        sha256={apk.sha256}
        title={words.named}
        search={fieldSearch('app', apk.app)}
        without={words.noName}
        isWanted={(one) => one.app === apk.app && !isOfPackage(one)}
      />
    </>
  );
}

export function ChooseOther({ apk }: { apk: ApkDetail }) {
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const [settled] = useDebouncedValue(typed, searchDelay);
  const list = useRef<HTMLDivElement>(null);
  const search = searchOf(settled);
  /** What Enter is pressed on may not have been searched yet; what is wrong with it the list says. */
  const openFirst = async () => {
    const found = await queryClient.fetchQuery(catalogueHeadOptions({ search: searchOf(typed), ordering: '' }));
    const other = found.results.find(({ sha256 }) => sha256 !== apk.sha256);
    if (other !== undefined) void navigate(compareAddress(apk.sha256, other.sha256));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') list.current?.querySelector<HTMLElement>('a')?.focus();
    else if (event.key === 'Escape' && typed !== '') setTyped('');
    else if (event.key === 'Enter' && typed.trim() !== '') openFirst().catch(() => undefined);
    else return;
    event.preventDefault();
  };
  return (
    <Page title={compareTexts.withOther}>
      <ApkSide apk={apk} address={`/apks/${apk.sha256}`} />
      <ScrollRegion label={compareTexts.withOther}>
        <TextInput
          className={styles.search}
          label={words.label}
          placeholder={words.placeholder}
          description={words.hint}
          value={typed}
          data-autofocus
          autoFocus
          autoComplete="off"
          spellCheck={false}
          leftSection={<Icon name="search" size={14} />}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <div ref={list}>
          {search === '' ? (
            <Suggestions apk={apk} />
          ) : (
            <Others sha256={apk.sha256} title={words.found} search={search} />
          )}
        </div>
      </ScrollRegion>
    </Page>
  );
}
