// The code of an APK: classes as a tree, smali, members, search, references. Knows the address; its panels know the rest.
import { ActionIcon, Tooltip } from '@mantine/core';
import { lazy, useMemo } from 'react';
import type { CodeClass, CodeHit } from '../../../../server/contract/engine/exploration.ts';
import { useCodeClass, useCodeOutline } from '../../../api/apk-queries.ts';
import { ApiError } from '../../../api/client.ts';
import { Segments } from '../../../components/page/segments.tsx';
import { ErrorPanel, LoadingPanel, StatePanel } from '../../../components/page/state-panel.tsx';
import { Icon } from '../../../components/picture/icon.tsx';
import { useFilter } from '../../../components/table/use-filter.ts';
import { VirtualRows } from '../../../components/table/virtual-rows.tsx';
import { Chip } from '../../../components/text/chip.tsx';
import { CopyButton } from '../../../components/text/copy-button.tsx';
import { formatCount } from '../../../components/text/counted.ts';
import { className } from '../../../components/text/format.ts';
import { HostileText } from '../../../components/text/hostile-text.tsx';
import { texts } from '../../../texts.ts';
import type { ApkPartProps } from '../parts.tsx';
import { ClassTree } from './class-tree.tsx';
import styles from './code.module.css';
import { type CodeState, lineOf, toPlace, toReference, useCodeAddress } from './code-address.ts';
import { CodeReferences } from './code-references.tsx';
import { CodeSearchPanel } from './code-search.tsx';
import { codeTexts } from './texts.ts';

const CodeText = lazy(async () => ({ default: (await import('../../../components/code/code-text.tsx')).CodeText }));

type Change = (changes: Partial<CodeState>, replace?: boolean) => void;
interface Member {
  name: string;
  descriptor: string;
  /** As addresses have it. */
  text: string;
  isMethod: boolean;
  hasCode: boolean;
}

const textOf = ({ name }: Member) => name;

function membersOf(code: CodeClass): Member[] {
  return [
    ...code.fields.map(({ name, descriptor }) => {
      return { name, descriptor, text: `${name}:${descriptor}`, isMethod: false, hasCode: true };
    }),
    ...code.methods.map(({ name, descriptor, has_code }) => {
      return { name, descriptor, text: `${name}${descriptor}`, isMethod: true, hasCode: has_code };
    }),
  ];
}

function Members({ code, state, change }: { code: CodeClass; state: CodeState; change: Change }) {
  const members = useMemo(() => membersOf(code), [code]);
  const { filter, setFilter, shown, applied } = useFilter(members, textOf);
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
      <VirtualRows key={applied} count={shown.length} rowHeight={24} label={codeTexts.outline} isNavigable>
        {(index) => {
          const member = shown[index];
          if (member === undefined) return null;
          return (
            <div className={styles.member} data-current={member.text === state.member || undefined}>
              <button
                type="button"
                onClick={() => change({ member: member.text, seek: null })}
                title={member.text.slice(0, 300)}
              >
                <span className={styles.memberKind}>{member.isMethod ? 'm' : 'f'}</span>
                <span className={styles.oneLine}>
                  <HostileText value={member.name} max={100} mono isFixed />
                  <span className={styles.faint}>
                    {member.isMethod ? '' : ': '}
                    <HostileText value={member.descriptor} max={120} mono isFixed />
                  </span>
                </span>
              </button>
              <ActionIcon
                size="sm"
                variant="subtle"
                color="gray"
                aria-label={codeTexts.showUses(member.name.slice(0, 100))}
                onClick={() => change({ references: `${code.name}->${member.text}`, direction: 'callers' })}
              >
                <Icon name="uses" size={12} />
              </ActionIcon>
            </div>
          );
        }}
      </VirtualRows>
    </div>
  );
}

function ClassName({ name, change }: { name: string; change: Change }) {
  return (
    <button type="button" className={styles.link} onClick={() => change({ ...toReference(name), references: null })}>
      <HostileText value={className(name)} max={140} mono isFixed />
    </button>
  );
}

/** Names shown in the head of a class. */
const maxNames = 6;

function ClassHead({ code, isEmbedded, change }: { code: CodeClass; isEmbedded: boolean; change: Change }) {
  return (
    <div className={styles.head}>
      <h2>
        <HostileText value={className(code.name)} max={200} mono />
      </h2>
      <CopyButton text={code.name} what={code.name.slice(0, 80)} />
      <Tooltip label={codeTexts.showUses(className(code.name).slice(0, 80))}>
        <ActionIcon
          size="sm"
          variant="subtle"
          color="gray"
          aria-label={codeTexts.showUses(className(code.name).slice(0, 100))}
          onClick={() => change({ references: code.name, direction: 'callers' })}
        >
          <Icon name="uses" size={13} />
        </ActionIcon>
      </Tooltip>
      {code.access
        .filter((word) => word !== 'public')
        .map((word) => (
          <Chip key={word} tone="quiet">
            {word}
          </Chip>
        ))}
      {isEmbedded && <Chip tone="medium">{codeTexts.embeddedClass}</Chip>}
      <span className={styles.soft}>
        <HostileText value={code.dex} max={60} isFixed />
        {code.source !== null && code.source !== '' && (
          <>
            {' · '}
            <HostileText value={code.source} max={60} isFixed />
          </>
        )}
      </span>
      {code.superclass !== null && code.superclass !== 'Ljava/lang/Object;' && (
        <span className={styles.soft}>
          {codeTexts.extends} <ClassName name={code.superclass} change={change} />
        </span>
      )}
      {code.interfaces.length > 0 && (
        <span className={styles.soft}>
          {codeTexts.implements}{' '}
          {code.interfaces.slice(0, maxNames).map((name) => (
            <ClassName key={name} name={name} change={change} />
          ))}
        </span>
      )}
      {code.subclasses.length > 0 && (
        <span className={styles.soft}>
          {codeTexts.subclasses}{' '}
          {code.subclasses.slice(0, maxNames).map((name) => (
            <ClassName key={name} name={name} change={change} />
          ))}
          {code.subclasses.length > maxNames && texts.filter.rest(code.subclasses.length - maxNames)}
        </span>
      )}
      {code.dexes.length > 1 && (
        <span className={styles.soft}>
          {codeTexts.definedTwice}{' '}
          {code.dexes.slice(0, maxNames).map((dex) => (
            <button
              key={dex}
              type="button"
              className={styles.link}
              aria-current={dex === code.dex ? 'true' : undefined}
              onClick={() => change({ dex })}
            >
              <HostileText value={dex} max={60} isFixed />
            </button>
          ))}
        </span>
      )}
      {code.is_cut && <Chip tone="medium">{codeTexts.cut}</Chip>}
    </div>
  );
}

interface ClassViewProps {
  sha256: string;
  state: CodeState;
  /** Names of dex files beside the app's own. */
  embedded: readonly string[];
  change: Change;
}

function ClassView({ sha256, state, embedded, change }: ClassViewProps) {
  const code = useCodeClass(sha256, state.name, state.dex);
  const { member, seek } = state;
  const line = useMemo(
    () => (code.data === undefined ? null : lineOf(code.data, { member, seek })),
    [code.data, member, seek],
  );
  if (state.name === null) {
    return (
      <StatePanel icon="file" title={codeTexts.choose}>
        {codeTexts.chooseText}
      </StatePanel>
    );
  }
  if (code.isPending) return <LoadingPanel />;
  if (code.isError) {
    if (!(code.error instanceof ApiError && code.error.status === 404)) return <ErrorPanel error={code.error} />;
    return (
      <StatePanel
        icon="app"
        title={className(state.name).slice(0, 200)}
        action={
          <button
            type="button"
            className={styles.link}
            onClick={() =>
              change({
                references: state.member === null ? state.name : `${state.name}->${state.member}`,
                direction: 'callers',
              })
            }
          >
            {codeTexts.callers}
          </button>
        }
      >
        {codeTexts.external}
      </StatePanel>
    );
  }
  return (
    <div className={styles.class} data-testid="class-view">
      <ClassHead code={code.data} isEmbedded={embedded.includes(code.data.dex)} change={change} />
      <CodeText
        text={code.data.smali}
        language="smali"
        label={className(code.data.name).slice(0, 200)}
        line={line}
        onReference={(target) => change(toReference(target))}
        onUses={(target) => change({ references: target.replace(/^\[+/, ''), direction: 'callers' })}
      />
    </div>
  );
}

export function Component({ apk }: ApkPartProps) {
  const { sha256 } = apk;
  const outline = useCodeOutline(sha256);
  const [state, change] = useCodeAddress();
  const code = useCodeClass(sha256, state.name, state.dex);
  if (outline.isPending) return <LoadingPanel />;
  if (outline.isError) return <ErrorPanel error={outline.error} onRetry={() => void outline.refetch()} />;
  const { dexes, unreadable } = outline.data;
  const embedded = dexes.filter(({ is_embedded }) => is_embedded);
  if (dexes.length === 0) {
    return (
      <StatePanel icon="file" title={codeTexts.none}>
        {unreadable.map(({ name, reason }) => `${codeTexts.unreadable} ${name}: ${reason}`).join(' ')}
      </StatePanel>
    );
  }
  const openHit = (hit: CodeHit) => {
    if (hit.kind === 'string') change({ references: `"${hit.text}`, direction: 'callers' });
    else if (hit.kind === 'api') change({ references: hit.text, direction: 'callers' });
    else change(toReference(hit.text));
  };
  return (
    <div className={styles.browser} data-mode={state.mode}>
      <div className={styles.side}>
        <div className={styles.modes}>
          <Segments
            label={codeTexts.modeChoice}
            value={state.mode}
            onChange={(mode) => change({ mode })}
            segments={[
              { value: 'classes', label: codeTexts.modes.classes },
              { value: 'search', label: codeTexts.modes.search },
            ]}
          />
        </div>
        {unreadable.length > 0 && (
          <p className={styles.count}>
            {codeTexts.unreadable} {unreadable.map(({ name }) => name).join(', ')}
          </p>
        )}
        {embedded.length > 0 && (
          <p className={styles.count} data-testid="embedded-code">
            {codeTexts.embedded}
            {embedded.slice(0, maxNames).map(({ name, classes }) => (
              <span key={name} className={styles.embedded}>
                <HostileText value={name} max={80} mono /> {codeTexts.classes(classes)}
              </span>
            ))}
          </p>
        )}
        {state.mode === 'search' ? (
          <CodeSearchPanel
            sha256={sha256}
            search={state}
            onSearch={({ q, kinds, regex, isCaseSensitive }) => change({ q, kinds, regex, isCaseSensitive })}
            onHit={openHit}
          />
        ) : (
          <ClassTree
            sha256={sha256}
            packageName={apk.package_name}
            chosen={state.name}
            onChoose={(name) => change({ name, dex: null, member: null, seek: null })}
          />
        )}
        {code.data !== undefined && state.name !== null && state.mode === 'classes' && (
          <Members key={code.data.name} code={code.data} state={state} change={change} />
        )}
      </div>
      <div className={styles.main}>
        <ClassView sha256={sha256} state={state} embedded={embedded.map(({ name }) => name)} change={change} />
        {state.references !== null && (
          <CodeReferences
            sha256={sha256}
            of={state.references}
            direction={state.direction}
            onDirection={(direction) => change({ direction })}
            onPlace={(place) => change(toPlace(place))}
            onTarget={(target) => change(toReference(target))}
            onClose={() => change({ references: null })}
          />
        )}
      </div>
    </div>
  );
}
