// One ruleset: its rules in an editor with dry run and retrohunt beside it, its matches, versions and comments.
import { Button, TextInput } from '@mantine/core';
import { useInputState, useWindowEvent } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { type RefObject, useRef, useState } from 'react';
import { Navigate, NavLink, useBlocker, useNavigate, useParams } from 'react-router';
import type { RulesVerdict } from '../../../server/contract/rules/dry-run.ts';
import type { RulesetChangesBody, RulesetDetail } from '../../../server/contract/rules/ruleset.ts';
import { rulesetThread } from '../../api/comment-queries.ts';
import { useAccount } from '../../api/queries.ts';
import { useRuleset, useSaveRuleset } from '../../api/ruleset-queries.ts';
import { CommentThread } from '../../components/comments/comment-thread.tsx';
import { ConfirmDialog } from '../../components/form/confirm-dialog.tsx';
import frame from '../../components/page/page.module.css';
import { usePageTitle } from '../../components/page/page.tsx';
import { LoadingPanel, QueryState } from '../../components/page/state-panel.tsx';
import { Icon } from '../../components/picture/icon.tsx';
import { formatCount } from '../../components/text/counted.ts';
import { HostileText } from '../../components/text/hostile-text.tsx';
import { useShortcut } from '../../shortcuts/shortcuts.ts';
import { texts } from '../../texts.ts';
import { DryRunPanel } from './dry-run-panel.tsx';
import { HuntList, HuntStarter } from './hunt-panel.tsx';
import { RulesetOptions, SocialStatus } from './ruleset-options.tsx';
import { RulesetState } from './ruleset-state.tsx';
import { MatchesTab, VersionsTab } from './ruleset-tabs.tsx';
import styles from './rulesets.module.css';
import { rulesetsTexts as words } from './texts.ts';
import { YaraEditor, type YaraEditorHandle } from './yara-editor.tsx';

type Tab = keyof typeof words.tabs;

/** Ctrl+S saves from everywhere on the page, in its fields too. */
function useSaveKeys(run: () => void): void {
  useWindowEvent('keydown', (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.key.toLowerCase() !== 's') return;
    event.preventDefault();
    if (!event.repeat) run();
  });
  useShortcut(words.title, ['Control+s'], texts.save, run);
}

export function Component() {
  const { id = 'new' } = useParams();
  const ruleset = useRuleset(id === 'new' ? '' : id);
  const account = useAccount();
  if (account.isPending) return <LoadingPanel />;
  if (id === 'new') return <Workbench key="new" ruleset={null} />;
  if (!ruleset.isSuccess) return <QueryState query={ruleset} isPage />;
  return <Workbench key={id} ruleset={ruleset.data} />;
}

/** What is typed of a ruleset, and its way to the server. */
function useDraft(ruleset: RulesetDetail | null, isMine: boolean) {
  const navigate = useNavigate();
  const saving = useSaveRuleset();
  const [name, setName] = useInputState(ruleset?.name ?? '');
  const [rules, setRules] = useState(ruleset?.rules ?? `${words.exampleImport}${words.example}`);
  const isChanged = ruleset === null || name !== ruleset.name || rules !== ruleset.rules;
  /** A new ruleset was saved: the address changes to its own, and nothing is left behind. */
  const isSaved = useRef(false);
  const store = (changes: RulesetChangesBody) =>
    saving.mutate(ruleset === null ? changes : { id: ruleset.id, ...changes }, {
      onSuccess: (saved) => {
        notifications.show({ message: texts.savedNotice });
        if (ruleset !== null) return;
        isSaved.current = true;
        void navigate(`/rulesets/${saved.id}`, { replace: true });
      },
    });
  const save = () => {
    if (isMine && isChanged && !saving.isPending) store({ name: name.trim() === '' ? words.new : name, rules });
  };
  useSaveKeys(save);
  return { name, setName, rules, setRules, isChanged, isSaved, isSaving: saving.isPending, store, save };
}

/** Asks before unsaved rules are left, also where the whole window is closed. */
function LeaveDialog({ ruleset, isSaved }: { ruleset: RulesetDetail | null; isSaved: RefObject<boolean> }) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      !isSaved.current &&
      !(ruleset !== null && nextLocation.pathname.startsWith(`/rulesets/${ruleset.id}`)) &&
      currentLocation.pathname !== nextLocation.pathname,
  );
  useWindowEvent('beforeunload', (event) => {
    if (ruleset !== null) event.preventDefault();
  });
  return (
    <ConfirmDialog
      isOpen={blocker.state === 'blocked'}
      onClose={() => blocker.reset?.()}
      title={words.unsaved}
      action={words.leave}
      onConfirm={() => blocker.proceed?.()}
    >
      <p>{words.leaveQuestion}</p>
    </ConfirmDialog>
  );
}

function Workbench({ ruleset }: { ruleset: RulesetDetail | null }) {
  const { tab = 'editor' } = useParams();
  const own = useAccount().data?.username ?? '';
  const isMine = ruleset === null || ruleset.author === own;
  const draft = useDraft(ruleset, isMine);
  const editor = useRef<YaraEditorHandle>(null);
  usePageTitle(ruleset?.name ?? words.new);
  if (!(tab in words.tabs)) return <Navigate to={`/rulesets/${ruleset?.id ?? 'new'}`} replace />;
  return (
    <div className={frame.page}>
      <div className={frame.bar}>
        <h1 className={isMine ? 'visually-hidden' : undefined}>
          <HostileText value={ruleset?.name ?? words.new} max={120} isFixed />
        </h1>
        {isMine && (
          <TextInput
            className={styles.name}
            aria-label={words.name}
            placeholder={words.untitled}
            value={draft.name}
            maxLength={200}
            onChange={draft.setName}
          />
        )}
        {ruleset !== null && <RulesetState ruleset={ruleset} />}
        <span className={frame.spacer} />
        {isMine && draft.isChanged && <span className={styles.soft}>{words.unsaved}</span>}
        {isMine && (
          <Button disabled={!draft.isChanged} loading={draft.isSaving} onClick={draft.save}>
            {texts.save}
          </Button>
        )}
      </div>
      {ruleset !== null && <Tabs ruleset={ruleset} />}
      {/* The editor stays while other tabs are looked at: what was typed is in it. */}
      <div
        className={styles.workbench}
        hidden={tab !== 'editor'}
        style={tab === 'editor' ? undefined : { display: 'none' }}
      >
        <EditorTab ruleset={ruleset} isMine={isMine} draft={draft} editor={editor} />
      </div>
      {ruleset !== null && tab !== 'editor' && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        <section className={styles.scroll} tabIndex={0} aria-label={words.tabs[tab as Tab]}>
          {tab === 'matches' && <MatchesTab id={ruleset.id} />}
          {tab === 'hunts' && <HuntList id={ruleset.id} />}
          {tab === 'versions' && <VersionsTab ruleset={ruleset} editor={isMine ? editor : null} />}
          {tab === 'comments' && <CommentThread thread={rulesetThread(ruleset.id)} />}
        </section>
      )}
      {isMine && draft.isChanged && <LeaveDialog ruleset={ruleset} isSaved={draft.isSaved} />}
    </div>
  );
}

function Tabs({ ruleset }: { ruleset: RulesetDetail }) {
  const counts: Partial<Record<Tab, number>> = {
    matches: ruleset.matches_count,
    comments: ruleset.comments_count,
    versions: ruleset.version,
  };
  return (
    <nav className={frame.tabs} aria-label={ruleset.name}>
      {(Object.keys(words.tabs) as Tab[]).map((one) => (
        <NavLink key={one} end replace to={`/rulesets/${ruleset.id}${one === 'editor' ? '' : `/${one}`}`}>
          {words.tabs[one]} {counts[one] !== undefined && <span className="tabular">{formatCount(counts[one])}</span>}
        </NavLink>
      ))}
    </nav>
  );
}

interface EditorTabProps {
  ruleset: RulesetDetail | null;
  isMine: boolean;
  draft: ReturnType<typeof useDraft>;
  editor: RefObject<YaraEditorHandle | null>;
}

/** The rules in their editor, and beside it what is set and tried of them. */
function EditorTab({ ruleset, isMine, draft: { rules, setRules, store }, editor }: EditorTabProps) {
  const [verdict, setVerdict] = useState<RulesVerdict | null>(null);
  return (
    <>
      <div className={styles.writing}>
        <YaraEditor text={rules} isReadOnly={!isMine} onChange={setRules} onVerdict={setVerdict} handle={editor} />
        <Verdict verdict={verdict} onGoTo={(line, column) => editor.current?.goTo(line, column)} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className={styles.beside} tabIndex={0} aria-label={words.beside}>
        {ruleset !== null && !isMine && <p className={styles.note}>{words.readOnly(ruleset.author)}</p>}
        {ruleset !== null && isMine && <RulesetOptions ruleset={ruleset} onChange={store} />}
        {ruleset !== null && <SocialStatus ruleset={ruleset} isMine={isMine} />}
        <DryRunPanel rules={rules} isValid={verdict?.is_valid === true} />
        {ruleset !== null && <HuntStarter id={ruleset.id} isSaved={rules === ruleset.rules} />}
      </section>
    </>
  );
}

interface VerdictProps {
  verdict: RulesVerdict | null;
  onGoTo: (line: number, column: number) => void;
}

function Verdict({ verdict, onGoTo }: VerdictProps) {
  if (verdict === null) return null;
  const { errors, warnings } = verdict;
  const problems = [
    ...errors.map((fault) => ({ ...fault, tone: 'high' as const })),
    ...warnings.map((fault) => ({ ...fault, tone: 'medium' as const })),
  ];
  return (
    <div className={styles.verdict} role="status" data-testid="verdict">
      {verdict.is_valid ? words.verdictValid(verdict.rules_count) : words.verdictFaults(errors.length)}
      {warnings.length > 0 && ` · ${words.verdictWarnings(warnings.length)}`}
      {problems.length > 0 && (
        <ul>
          {problems.slice(0, 50).map((problem, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same fault may stand twice at one place
            <li key={index}>
              <button type="button" className={styles.problem} onClick={() => onGoTo(problem.line, problem.column)}>
                <span style={{ color: `var(--tone-${problem.tone})` }}>
                  <Icon name="warning" size={14} />
                </span>
                <span className="tabular">{words.problem(problem.line, problem.column)}</span>
                <HostileText value={problem.title} max={300} isFixed />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
