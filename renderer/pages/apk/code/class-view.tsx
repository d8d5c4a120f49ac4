// One class: what it is and extends, and its smali, whose references lead on. Knows the address and the class.
import { ActionIcon, Tooltip } from '@mantine/core';
import type { CodeClass } from '../../../../server/contract/engine/exploration.ts';
import { useCodeClass } from '../../../api/apk-queries.ts';
import { ApiError } from '../../../api/client.ts';
import { Segments } from '../../../components/page/segments.tsx';
import { QueryState, StatePanel } from '../../../components/page/state-panel.tsx';
import { Icon } from '../../../components/picture/icon.tsx';
import { Chip } from '../../../components/text/chip.tsx';
import { CopyButton } from '../../../components/text/copy-button.tsx';
import { className } from '../../../components/text/format.ts';
import { HostileText } from '../../../components/text/hostile-text.tsx';
import { useShortcut } from '../../../shortcuts/shortcuts.ts';
import { texts } from '../../../texts.ts';
import { ClassText } from './class-text.tsx';
import styles from './code.module.css';
import { type Change, type CodeState, type CodeView, codeViews, toReference } from './code-address.ts';
import { NameOffers } from './name-offers.tsx';
import { codeTexts } from './texts.ts';

/** Names shown in the head of a class. */
const maxNames = 6;

function ClassNames({ label, names, change }: { label: string; names: readonly string[]; change: Change }) {
  if (names.length === 0) return null;
  return (
    <span className={styles.soft}>
      {label}{' '}
      {names.slice(0, maxNames).map((name) => (
        <button
          key={name}
          type="button"
          className={styles.link}
          onClick={() => change({ ...toReference(name), references: null })}
        >
          <HostileText value={className(name)} max={140} mono isFixed />
        </button>
      ))}
      {names.length > maxNames && texts.filter.rest(names.length - maxNames)}
    </span>
  );
}

interface ClassHeadProps {
  code: CodeClass;
  view: CodeView;
  isEmbedded: boolean;
  change: Change;
}

function ClassHead({ code, view, isEmbedded, change }: ClassHeadProps) {
  const superclass = code.superclass === null || code.superclass === 'Ljava/lang/Object;' ? [] : [code.superclass];
  return (
    <div className={styles.head}>
      <Segments
        label={codeTexts.viewChoice}
        value={view}
        onChange={(chosen) => change({ view: chosen })}
        labels={codeTexts.views}
      />
      <h2>
        <HostileText value={className(code.renamed ?? code.name)} max={200} mono />
      </h2>
      {code.renamed !== null && (
        <span className={styles.soft}>
          <HostileText value={className(code.name)} max={140} mono isFixed />
        </span>
      )}
      <CopyButton text={code.name} what={code.name.slice(0, 80)} />
      <Tooltip label={codeTexts.showUses(className(code.name).slice(0, 80))}>
        <ActionIcon
          size="sm"
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
      <ClassNames label={codeTexts.extends} names={superclass} change={change} />
      <ClassNames label={codeTexts.implements} names={code.interfaces} change={change} />
      <ClassNames label={codeTexts.subclasses} names={code.subclasses} change={change} />
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
      {code.is_cut && view !== 'java' && <Chip tone="medium">{codeTexts.cut}</Chip>}
    </div>
  );
}

interface ClassViewProps {
  sha256: string;
  state: CodeState;
  /** Whether a dex file stands beside the app's own. */
  isEmbedded: (dex: string) => boolean;
  change: Change;
}

export function ClassView({ sha256, state, isEmbedded, change }: ClassViewProps) {
  const code = useCodeClass(sha256, state.name, state.dex);
  useShortcut(codeTexts.title, ['J'], codeTexts.nextView, () =>
    change({ view: codeViews[(codeViews.indexOf(state.view) + 1) % codeViews.length]! }),
  );
  if (state.name === null) {
    return (
      <StatePanel icon="file" title={codeTexts.choose}>
        {codeTexts.chooseText}
      </StatePanel>
    );
  }
  if (code.error instanceof ApiError && code.error.status === 404) {
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
            {codeTexts.directions.callers}
          </button>
        }
      >
        {codeTexts.external}
      </StatePanel>
    );
  }
  if (!code.isSuccess) return <QueryState query={code} />;
  return (
    <div className={styles.class} data-testid="class-view">
      <ClassHead code={code.data} view={state.view} isEmbedded={isEmbedded(code.data.dex)} change={change} />
      <NameOffers sha256={sha256} name={code.data.name} dex={code.data.dex} />
      <ClassText
        sha256={sha256}
        code={code.data}
        state={state}
        onReference={(target) => change(toReference(target))}
        onUses={(target) => change({ references: target.replace(/^\[+/, ''), direction: 'callers' })}
        onGraph={(references) => change({ references, direction: 'graph' })}
        onSmali={() => change({ view: 'smali' })}
      />
    </div>
  );
}
