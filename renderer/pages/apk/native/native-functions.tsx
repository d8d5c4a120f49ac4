// Functions of one native library, and the code of the chosen one beside them. Knows no report.
import { Checkbox, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { NativeCode, NativeFunction, NativeReference } from '../../../../server/contract/engine/native-code.ts';
import { useNativeCode, useNativeFunctions } from '../../../api/native-queries.ts';
import { ByteRuleButton } from '../../../components/code/byte-rule-button.tsx';
import { QueryState, StatePanel } from '../../../components/page/state-panel.tsx';
import { codeAddress } from '../../../components/place/place-address.ts';
import { ListRows } from '../../../components/table/virtual-rows.tsx';
import { HostileText } from '../../../components/text/hostile-text.tsx';
import shared from '../parts.module.css';
import styles from './native.module.css';
import { nativeTexts } from './texts.ts';

const hex = (address: number) => `0x${address.toString(16)}`;

interface LibraryProps {
  sha256: string;
  path: string;
}

/** Which address is shown, and how another one is: the browser's "back" undoes it. */
function useShownAddress(): [number | null, (address: number) => void] {
  const [parameters, setParameters] = useSearchParams();
  const text = parameters.get('at') ?? '';
  const show = (address: number) =>
    setParameters((known) => {
      known.set('at', hex(address));
      return known;
    });
  return [/^0x[0-9a-f]{1,13}$/.test(text) ? Number(text) : null, show];
}

function FunctionRow({ one, isShown, show }: { one: NativeFunction; isShown: boolean; show: () => void }) {
  const kind = nativeTexts.kinds[one.kind];
  if (one.address === null) {
    return (
      <div className={styles.functionRow}>
        <HostileText value={one.name} max={200} mono isFixed />
        <small>{kind}</small>
      </div>
    );
  }
  return (
    <button type="button" className={styles.functionRow} aria-current={isShown ? 'true' : undefined} onClick={show}>
      <HostileText value={one.name} max={200} mono isFixed />
      <small>
        {kind} {hex(one.address)}
      </small>
    </button>
  );
}

function Reference({ to, show }: { to: NativeReference; show: (address: number) => void }) {
  const { kind, text, address } = to;
  const label = kind === 'string' ? JSON.stringify(text) : text === '' && address !== null ? hex(address) : text;
  const isCode = (kind === 'function' || kind === 'code') && address !== null;
  return (
    <span className={styles.reference} data-kind={kind}>
      {isCode ? (
        <button type="button" className={shared.linkButton} onClick={() => show(address)}>
          <HostileText value={label} max={160} mono isFixed />
        </button>
      ) : (
        <HostileText value={label} max={300} mono isFixed />
      )}
    </span>
  );
}

/**
 * Instructions as bytes of a rule: where one names an address, what other builds have otherwise is open.
 * That is all of the instruction where each has four bytes, else what follows its first byte.
 */
function patternOf(instructions: NativeCode['instructions'], set: NativeCode['instruction_set']): string {
  const kept = set === 'x86' || set === 'x86-64' ? 1 : 0;
  return instructions
    .flatMap(({ bytes, mnemonic, reference }) => {
      const isOpen = mnemonic === 'adrp' || (reference !== null && reference.kind !== 'code');
      return (bytes.match(/../g) ?? []).map((pair, index) => (isOpen && index >= kept ? '??' : pair));
    })
    .join(' ');
}

function FunctionCode({ sha256, path }: LibraryProps) {
  const [address, show] = useShownAddress();
  const code = useNativeCode(sha256, path, address);
  if (address === null) return <StatePanel icon="file" title={nativeTexts.chooseFunction} />;
  if (code.data === undefined) return <QueryState query={code} />;
  const found = code.data.pages[0]!.function;
  const rows = code.data.pages.flatMap(({ instructions }) => instructions);
  const java = found?.java ?? null;
  return (
    <div className={shared.detail}>
      <div className={styles.nativeHead}>
        <b>
          <HostileText value={found?.name ?? hex(address)} max={300} mono isFixed />
        </b>
        {java !== null && (
          <Link to={codeAddress(sha256, `${java.class}->${java.method}`)}>
            {nativeTexts.javaMethod} <HostileText value={`${java.class}->${java.method}`} max={200} mono isFixed />
          </Link>
        )}
        {found !== null && <span className={shared.faint}>{nativeTexts.bytes(found.size)}</span>}
        <ByteRuleButton
          key={address}
          about={found?.name ?? path}
          pattern={patternOf(rows, code.data.pages[0]!.instruction_set)}
        />
      </div>
      <ListRows key={address} rows={rows} list={code} rowHeight={22} label={nativeTexts.code} keys="list">
        {(one) => (
          <div className={styles.instruction}>
            <span className={shared.faint}>{hex(one.address)}</span>
            <span className={shared.faint}>{one.bytes}</span>
            <b>{one.mnemonic}</b>
            <span>{one.operands}</span>
            {one.reference !== null && <Reference to={one.reference} show={show} />}
          </div>
        )}
      </ListRows>
    </div>
  );
}

export function NativeFunctions({ sha256, path }: LibraryProps) {
  const [search, setSearch] = useState('');
  const [isJni, setJni] = useState(false);
  const functions = useNativeFunctions(sha256, path, search, isJni);
  const [address, show] = useShownAddress();
  const { data } = functions;
  return (
    <div className={styles.functions}>
      <div className={styles.functionList}>
        <div className={styles.functionFilter}>
          <TextInput
            size="xs"
            flex={1}
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
            placeholder={nativeTexts.filter}
            aria-label={nativeTexts.filter}
            spellCheck={false}
          />
          <Checkbox size="xs" label="JNI" checked={isJni} onChange={(event) => setJni(event.currentTarget.checked)} />
          {data !== undefined && <span className="tabular">{nativeTexts.shown(data.results.length, data.count)}</span>}
        </div>
        {data?.is_cut && <p className={shared.faint}>{nativeTexts.isCut}</p>}
        {data === undefined ? (
          <QueryState query={functions} />
        ) : data.results.length === 0 ? (
          <StatePanel icon="search" title={nativeTexts.noFunction} />
        ) : (
          <ListRows rows={data.results} rowHeight={40} label={nativeTexts.parts.functions} keys="list">
            {(one) => (
              <FunctionRow
                one={one}
                isShown={one.address !== null && one.address === address}
                show={() => show(one.address ?? 0)}
              />
            )}
          </ListRows>
        )}
      </div>
      <FunctionCode sha256={sha256} path={path} />
    </div>
  );
}
