// One ruleset: its rules in an editor with dry run and retrohunt beside it, its matches, versions and comments.
import { Button, Modal, Switch, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useCallback, useEffect, useRef, useState } from 'react';
import { Navigate, NavLink, useBlocker, useNavigate, useParams } from 'react-router';
import type { RulesVerdict } from '../../../server/contract/rules/dry-run.ts';
import type { RulesetChangesBody, RulesetDetail } from '../../../server/contract/rules/ruleset.ts';
import { rulesetThread } from '../../api/comment-queries.ts';
import { useAccount, useMay } from '../../api/queries.ts';
import { useDeleteRuleset, useRuleset, useSaveRuleset, useSocialChange } from '../../api/ruleset-queries.ts';
import { CommentThread } from '../../components/comments/comment-thread.tsx';
import { tellError } from '../../components/form/tell-error.ts';
import frame from '../../components/page/page.module.css';
import { usePageTitle } from '../../components/page/page.tsx';
import { ErrorPanel, LoadingPanel } from '../../components/page/state-panel.tsx';
import { Icon } from '../../components/picture/icon.tsx';
import { formatCount } from '../../components/text/counted.ts';
import { HostileText } from '../../components/text/hostile-text.tsx';
import { useShortcut } from '../../shortcuts/shortcuts.ts';
import { texts } from '../../texts.ts';
import { DryRunPanel } from './dry-run-panel.tsx';
import { HuntList, HuntStarter } from './hunt-panel.tsx';
import { RulesetState } from './ruleset-state.tsx';
import { MatchesTab, VersionsTab } from './ruleset-tabs.tsx';
import styles from './rulesets.module.css';
import { rulesetsTexts as words } from './texts.ts';
import { YaraEditor, type YaraEditorHandle } from './yara-editor.tsx';

type Tab = keyof typeof words.tabs;

/** Ctrl+S saves from everywhere on the page, in its fields too. */
function useSaveKeys(run: () => void): void {
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.key.toLowerCase() !== 's') return;
      event.preventDefault();
      if (!event.repeat) latest.current();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
  useShortcut(words.title, ['Control+s'], texts.save, () => latest.current());
}

export function Component() {
  const { id = 'new' } = useParams();
  const ruleset = useRuleset(id === 'new' ? '' : id);
  const account = useAccount();
  if (account.isPending) return <LoadingPanel />;
  if (id === 'new') return <Workbench key="new" ruleset={null} />;
  if (ruleset.isPending) return <LoadingPanel />;
  if (ruleset.isError) return <ErrorPanel error={ruleset.error} onRetry={() => void ruleset.refetch()} isPage />;
  return <Workbench key={id} ruleset={ruleset.data} />;
}

function Workbench({ ruleset }: { ruleset: RulesetDetail | null }) {
  const { tab = 'editor' } = useParams();
  const navigate = useNavigate();
  const account = useAccount();
  const own = account.data?.username ?? '';
  const isMine = ruleset === null || ruleset.author === own;
  const save = useSaveRuleset();
  const [name, setName] = useState(ruleset?.name ?? '');
  const [rules, setRules] = useState(ruleset?.rules ?? `${words.exampleImport}${words.example}`);
  const [verdict, setVerdict] = useState<RulesVerdict | null>(null);
  const editor = useRef<YaraEditorHandle>(null);
  const isChanged = ruleset === null || name !== ruleset.name || rules !== ruleset.rules;
  const title = ruleset?.name ?? words.new;
  usePageTitle(title);

  const isLeaving = useRef(false);
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      isMine &&
      isChanged &&
      !isLeaving.current &&
      !(ruleset !== null && nextLocation.pathname.startsWith(`/rulesets/${ruleset.id}`)) &&
      currentLocation.pathname !== nextLocation.pathname,
  );
  useEffect(() => {
    if (!isMine || !isChanged || ruleset === null) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [isMine, isChanged, ruleset]);

  const store = useCallback(
    (changes: RulesetChangesBody) =>
      save.mutate(ruleset === null ? changes : { id: ruleset.id, ...changes }, {
        onSuccess: (saved) => {
          notifications.show({ message: texts.savedNotice });
          isLeaving.current = true;
          if (ruleset === null) void navigate(`/rulesets/${saved.id}`, { replace: true });
          else isLeaving.current = false;
        },
        onError: tellError,
      }),
    [save, ruleset, navigate],
  );
  const saveText = () => {
    if (isMine && isChanged && !save.isPending) store({ name: name.trim() === '' ? words.new : name, rules });
  };
  useSaveKeys(saveText);
  if (!(tab in words.tabs)) return <Navigate to={`/rulesets/${ruleset?.id ?? 'new'}`} replace />;
  const counts: Partial<Record<Tab, number>> =
    ruleset === null
      ? {}
      : { matches: ruleset.matches_count, comments: ruleset.comments_count, versions: ruleset.version };
  return (
    <div className={frame.page}>
      <div className={frame.bar}>
        <h1 className={isMine ? 'visually-hidden' : undefined}>
          <HostileText value={title} max={120} isFixed />
        </h1>
        {isMine && (
          <TextInput
            className={styles.name}
            aria-label={words.name}
            placeholder={words.untitled}
            value={name}
            maxLength={200}
            onChange={(event) => setName(event.currentTarget.value)}
          />
        )}
        {ruleset !== null && <RulesetState ruleset={ruleset} />}
        <span className={frame.spacer} />
        {isMine && isChanged && <span className={styles.soft}>{words.unsaved}</span>}
        {isMine && (
          <Button disabled={!isChanged} loading={save.isPending} onClick={saveText}>
            {texts.save}
          </Button>
        )}
      </div>
      {ruleset !== null && (
        <nav className={frame.tabs} aria-label={ruleset.name}>
          {(Object.keys(words.tabs) as Tab[]).map((one) => (
            <NavLink key={one} end replace to={`/rulesets/${ruleset.id}${one === 'editor' ? '' : `/${one}`}`}>
              {words.tabs[one]}{' '}
              {counts[one] !== undefined && <span className="tabular">{formatCount(counts[one])}</span>}
            </NavLink>
          ))}
        </nav>
      )}
      {/* The editor stays while other tabs are looked at: what was typed is in it. */}
      <div
        className={styles.workbench}
        hidden={tab !== 'editor'}
        style={tab === 'editor' ? undefined : { display: 'none' }}
      >
        <div className={styles.writing}>
          <YaraEditor text={rules} isReadOnly={!isMine} onChange={setRules} onVerdict={setVerdict} handle={editor} />
          <Verdict verdict={verdict} onGoTo={(line, column) => editor.current?.goTo(line, column)} />
        </div>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
        <section className={styles.beside} tabIndex={0} aria-label={words.beside}>
          {!isMine && ruleset !== null && <p className={styles.note}>{words.readOnly(ruleset.author)}</p>}
          {isMine && ruleset !== null && <Options ruleset={ruleset} onChange={store} />}
          {ruleset !== null && <Social ruleset={ruleset} isMine={isMine} />}
          <DryRunPanel rules={rules} isValid={verdict?.is_valid === true} />
          {ruleset !== null && <HuntStarter id={ruleset.id} isSaved={rules === ruleset.rules} />}
        </section>
      </div>
      {ruleset !== null && tab !== 'editor' && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        <section className={styles.scroll} tabIndex={0} aria-label={words.tabs[tab as Tab]}>
          {tab === 'matches' && <MatchesTab id={ruleset.id} />}
          {tab === 'hunts' && <HuntList id={ruleset.id} />}
          {tab === 'versions' && (
            <VersionsTab
              ruleset={ruleset}
              {...(isMine
                ? {
                    onRestore: (text: string) => {
                      editor.current?.setText(text);
                      notifications.show({ message: words.restored });
                      void navigate(`/rulesets/${ruleset.id}`, { replace: true });
                    },
                  }
                : {})}
            />
          )}
          {tab === 'comments' && <CommentThread thread={rulesetThread(ruleset.id)} />}
        </section>
      )}
      <Modal opened={blocker.state === 'blocked'} onClose={() => blocker.reset?.()} title={words.unsaved}>
        <p>{words.leave}</p>
        <div className={styles.actions}>
          <Button variant="default" onClick={() => blocker.reset?.()}>
            {words.cancel}
          </Button>
          <Button color="red" onClick={() => blocker.proceed?.()}>
            OK
          </Button>
        </div>
      </Modal>
    </div>
  );
}

function Verdict({
  verdict,
  onGoTo,
}: {
  verdict: RulesVerdict | null;
  onGoTo: (line: number, column: number) => void;
}) {
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

function Options({ ruleset, onChange }: { ruleset: RulesetDetail; onChange: (changes: RulesetChangesBody) => void }) {
  const navigate = useNavigate();
  const remove = useDeleteRuleset();
  const [isAsking, setAsking] = useState(false);
  const { last_scan_error: trouble } = ruleset;
  return (
    <section>
      {trouble !== null && ruleset.scan_state !== 'ok' && (
        <p role="alert" className={styles.error}>
          {words.scanStates[ruleset.scan_state]}: <HostileText value={trouble.message} max={400} />
        </p>
      )}
      <div className={styles.form}>
        <Switch
          label={words.enabled}
          checked={ruleset.status === 'enabled'}
          onChange={(event) => onChange({ status: event.currentTarget.checked ? 'enabled' : 'disabled' })}
        />
        <Switch
          label={words.publicLabel}
          checked={ruleset.is_public}
          onChange={(event) => onChange({ is_public: event.currentTarget.checked })}
        />
        <Switch
          label={words.notifier}
          checked={ruleset.is_notifier}
          onChange={(event) => onChange({ is_notifier: event.currentTarget.checked })}
        />
        <div className={styles.actions}>
          <Button variant="subtle" color="red" onClick={() => setAsking(true)}>
            {words.delete}
          </Button>
        </div>
      </div>
      <Modal opened={isAsking} onClose={() => setAsking(false)} title={words.delete}>
        <p>{words.deleteQuestion}</p>
        <div className={styles.actions}>
          <Button variant="default" onClick={() => setAsking(false)}>
            {words.cancel}
          </Button>
          <Button
            color="red"
            loading={remove.isPending}
            onClick={() =>
              remove.mutate(ruleset.id, { onSuccess: () => void navigate('/rulesets'), onError: tellError })
            }
          >
            {words.delete}
          </Button>
        </div>
      </Modal>
    </section>
  );
}

function Social({ ruleset, isMine }: { ruleset: RulesetDetail; isMine: boolean }) {
  const change = useSocialChange(ruleset.id);
  const mayJudge = useMay()('ruleset.judge');
  const isAsked = ruleset.social_status === 'pending';
  const mayAsk =
    isMine && ruleset.is_public && (ruleset.social_status === 'none' || ruleset.social_status === 'rejected');
  if (!mayAsk && !(mayJudge && isAsked)) return null;
  return (
    <section>
      <p className={styles.note}>{words.promoteNote}</p>
      <div className={styles.actions}>
        {mayAsk && (
          <Button
            variant="default"
            loading={change.isPending}
            onClick={() => change.mutate(null, { onError: tellError })}
          >
            {words.promote}
          </Button>
        )}
        {mayJudge && isAsked && (
          <>
            <Button loading={change.isPending} onClick={() => change.mutate(true, { onError: tellError })}>
              {words.accept}
            </Button>
            <Button variant="default" onClick={() => change.mutate(false, { onError: tellError })}>
              {words.reject}
            </Button>
          </>
        )}
      </div>
    </section>
  );
}
