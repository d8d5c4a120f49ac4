// The fields and methods of the open class, each leading to its place and to its uses. Knows one class.
import { ActionIcon } from '@mantine/core';
import { useMemo } from 'react';
import { Link } from 'react-router';
import type { CodeClass } from '../../../../server/contract/engine/exploration.ts';
import type { NativeMethods } from '../../../../server/contract/engine/native-code.ts';
import { useNativeMethods } from '../../../api/native-queries.ts';
import { Icon } from '../../../components/picture/icon.tsx';
import { useFilter } from '../../../components/table/use-filter.ts';
import { ListRows } from '../../../components/table/virtual-rows.tsx';
import { formatCount } from '../../../components/text/counted.ts';
import { HostileText } from '../../../components/text/hostile-text.tsx';
import { texts } from '../../../texts.ts';
import styles from './code.module.css';
import { type Change, type CodeState, wholeClass } from './code-address.ts';
import { codeTexts } from './texts.ts';

interface Member {
  name: string;
  renamed: string | null;
  descriptor: string;
  /** As addresses have it. */
  text: string;
  isMethod: boolean;
  isNative: boolean;
}

const textOf = ({ name, renamed }: Member) => (renamed === null ? name : `${renamed} ${name}`);

const membersOf = ({ fields, methods }: CodeClass): Member[] => [
  ...fields.map(({ name, renamed, descriptor }) => ({
    name,
    renamed,
    descriptor,
    text: `${name}:${descriptor}`,
    isMethod: false,
    isNative: false,
  })),
  ...methods.map(({ name, renamed, descriptor, access }) => ({
    name,
    renamed,
    descriptor,
    text: `${name}${descriptor}`,
    isMethod: true,
    isNative: access.includes('native'),
  })),
];

/** Where a native method is: its function in a library, or what is known instead. */
function Implementation({ sha256, member, bound }: { sha256: string; member: Member; bound: NativeMethods }) {
  const parameters = member.descriptor.slice(1, member.descriptor.indexOf(')'));
  const ofName = bound.results.filter(({ method }) => method === member.name);
  const found = ofName.find((one) => one.parameters === parameters) ?? ofName.find((one) => one.parameters === null);
  if (found === undefined) return <small className={styles.faint}>{codeTexts.registeredLater}</small>;
  const query = new URLSearchParams({ path: found.path, at: `0x${found.address.toString(16)}` });
  return (
    <Link to={`/apks/${sha256}/native?${query}`} title={found.path.slice(0, 300)}>
      <HostileText value={found.path.slice(found.path.lastIndexOf('/') + 1)} max={40} isFixed />
    </Link>
  );
}

interface MembersProps {
  sha256: string;
  code: CodeClass;
  state: CodeState;
  change: Change;
}

export function Members({ sha256, code, state, change }: MembersProps) {
  const members = useMemo(() => membersOf(code), [code]);
  const { filter, setFilter, shown, applied } = useFilter(members, textOf);
  const bound = useNativeMethods(
    sha256,
    code.name,
    members.some(({ isNative }) => isNative),
  ).data;
  return (
    <div className={styles.members}>
      <div className={styles.membersHead}>
        <b>{codeTexts.outline}</b>
        <input
          value={filter}
          onChange={(event) => setFilter(event.currentTarget.value)}
          placeholder={texts.filter.placeholder}
          aria-label={codeTexts.outlineFilter}
          spellCheck={false}
        />
        <span className="tabular">{formatCount(shown.length)}</span>
      </div>
      <ListRows key={applied} rows={shown} rowHeight={24} label={codeTexts.outline} keys="list">
        {({ name, renamed, descriptor, text, isMethod, isNative }) => (
          <div className={styles.member} data-current={text === state.member || undefined}>
            <button type="button" onClick={() => change({ ...wholeClass, member: text })} title={text.slice(0, 300)}>
              <span className={styles.memberKind}>{isMethod ? 'm' : 'f'}</span>
              <span className={styles.oneLine}>
                <HostileText value={renamed ?? name} max={100} mono isFixed />
                <span className={styles.faint}>
                  {isMethod ? '' : ': '}
                  <HostileText value={descriptor} max={120} mono isFixed />
                </span>
              </span>
            </button>
            {isNative && bound !== undefined && (
              <Implementation
                sha256={sha256}
                member={{ name, renamed, descriptor, text, isMethod, isNative }}
                bound={bound}
              />
            )}
            <ActionIcon
              size={24}
              aria-label={codeTexts.showUses(name.slice(0, 100))}
              onClick={() => change({ references: `${code.name}->${text}`, direction: 'callers' })}
            >
              <Icon name="uses" size={12} />
            </ActionIcon>
          </div>
        )}
      </ListRows>
    </div>
  );
}
