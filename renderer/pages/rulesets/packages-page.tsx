// Packages of rulesets: imported with progress, updated, switched and removed whole, with what the last import changed.
import { Button, Checkbox, FileButton, Modal, Switch, TextInput } from '@mantine/core';
import { useInputState } from '@mantine/hooks';
import { useState } from 'react';
import { Link } from 'react-router';
import { type AnswerOf, ApiError } from '../../api/client.ts';
import { useMay } from '../../api/queries.ts';
import {
  useImportPackage,
  useRemovePackage,
  useRulePackage,
  useRulePackages,
  useSwitchPackage,
} from '../../api/rule-package-queries.ts';
import { ConfirmDialog } from '../../components/form/confirm-dialog.tsx';
import { submitting } from '../../components/form/submitting.ts';
import { Page, ScrollRegion } from '../../components/page/page.tsx';
import styles from '../../components/page/section-page.module.css';
import { Group } from '../../components/page/section-page.tsx';
import { QueryState, StatePanel } from '../../components/page/state-panel.tsx';
import { Icon } from '../../components/picture/icon.tsx';
import { CancelJob } from '../../components/status/cancel-job.tsx';
import { JobProgress } from '../../components/status/job-progress.tsx';
import { ProgressBar } from '../../components/status/progress-bar.tsx';
import { RowDeletion } from '../../components/table/row-deletion.tsx';
import { NumberCell, Table } from '../../components/table/table.tsx';
import { formatCount } from '../../components/text/counted.ts';
import { formatFull, formatSize } from '../../components/text/format.ts';
import { HostileText, visibleString } from '../../components/text/hostile-text.tsx';
import { PackageChanges, WaitingPreview } from './package-preview.tsx';
import own from './packages.module.css';
import { packagesTexts as words } from './packages-texts.ts';

type Packages = AnswerOf<'GET /rule-packages/'>;
type RulePackage = Packages['results'][number];

function ImportForm() {
  const { start, sent, cancel, error } = useImportPackage();
  const [file, setFile] = useState<File | null>(null);
  const [name, setName] = useInputState('');
  const [source, setSource] = useInputState('');
  const [isEnabled, setEnabled] = useState(true);
  const [isPublic, setPublic] = useState(false);
  const isSending = sent !== null;
  const send = (isPreview: boolean) => {
    if (file === null) return;
    start({ file, name, source, isEnabled, isPublic, isPreview }, () => {
      setFile(null);
      setName('');
      setSource('');
    });
  };
  return (
    <form className={styles.fields} onSubmit={submitting(() => send(false))}>
      <div className={styles.inline}>
        <FileButton onChange={setFile} disabled={isSending}>
          {(given) => (
            <Button {...given} variant="default" leftSection={<Icon name="file" size={14} />}>
              {words.choose}
            </Button>
          )}
        </FileButton>
        <span>
          {file === null ? (
            words.noFile
          ) : (
            <>
              <HostileText value={file.name} max={60} isFixed />{' '}
              <span className={styles.aside}>{formatSize(file.size)}</span>
            </>
          )}
        </span>
      </div>
      <div className={styles.pair}>
        <TextInput label={words.name} placeholder={words.asArchive} value={name} maxLength={200} onChange={setName} />
        <TextInput
          label={words.source}
          placeholder={words.asArchive}
          value={source}
          maxLength={255}
          onChange={setSource}
        />
      </div>
      <Checkbox
        label={words.enable}
        checked={isEnabled}
        onChange={({ currentTarget }) => setEnabled(currentTarget.checked)}
      />
      <Checkbox
        label={words.publish}
        checked={isPublic}
        onChange={({ currentTarget }) => setPublic(currentTarget.checked)}
      />
      {error instanceof ApiError && (
        <p role="alert" className={styles.error}>
          {error.message}
        </p>
      )}
      <div className={styles.inline}>
        <Button type="submit" disabled={file === null} loading={isSending}>
          {words.import}
        </Button>
        <Button variant="default" disabled={file === null || isSending} onClick={() => send(true)}>
          {words.preview}
        </Button>
      </div>
      {isSending && (
        <div className={styles.inline}>
          <ProgressBar share={sent} label={words.sending} />
          <Button variant="default" onClick={cancel}>
            {words.cancel}
          </Button>
        </div>
      )}
    </form>
  );
}

/** Imports under way, those that failed, and previews that wait for a decision. */
function Imports({ imports }: { imports: Packages['imports'] }) {
  const underWay = imports.filter(({ job }) => job.finished_at === null);
  const failed = imports.filter(({ job }) => job.status === 'failed');
  const previews = imports.filter(({ is_preview, job }) => is_preview && job.status === 'done');
  return (
    <>
      {underWay.map(({ job }) => (
        <div key={job.id} className={styles.actions} data-testid="package-import">
          <JobProgress job={job} />
          <CancelJob id={job.id} />
        </div>
      ))}
      {failed.map(({ source, job }) => (
        <p key={job.id} role="alert" className={styles.error}>
          {words.failed(visibleString(source, 60), visibleString(job.error ?? ''))}
        </p>
      ))}
      {previews.map(({ source, job }) => (
        <WaitingPreview key={job.id} id={job.id} source={source} />
      ))}
    </>
  );
}

function ChangeDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const asked = useRulePackage(name);
  return (
    <Modal opened onClose={onClose} title={words.changeTitle(visibleString(name, 80))} size="lg">
      {asked.isSuccess ? <PackageChanges change={asked.data.last_change} /> : <QueryState query={asked} />}
    </Modal>
  );
}

interface RowProps {
  one: RulePackage;
  onChange: () => void;
  onRemove: () => void;
}

function PackageRow({ one, onChange, onRemove }: RowProps) {
  const { mutate, isPending } = useSwitchPackage();
  const shown = visibleString(one.name, 80);
  return (
    <tr data-testid="rule-package">
      <th scope="row">
        <Link to={`/rulesets?package=${encodeURIComponent(one.name)}`}>
          <HostileText value={one.name} max={60} isFixed />
        </Link>{' '}
        <HostileText value={one.version} max={30} isFixed />
        <div className={styles.aside}>
          <HostileText value={one.source} max={60} isFixed />
        </div>
      </th>
      <td>
        <HostileText value={one.licence} max={30} isFixed />
      </td>
      <NumberCell>
        {formatCount(one.rulesets_count)}
        {one.duplicates_count > 0 && <div className={styles.aside}>{words.duplicates(one.duplicates_count)}</div>}
      </NumberCell>
      <NumberCell>{formatCount(one.rules_count)}</NumberCell>
      <NumberCell>{formatCount(one.matches_count)}</NumberCell>
      <td>
        <Button
          variant="subtle"
          size="compact-sm"
          onClick={onChange}
          aria-label={words.changeLabel(shown, one.last_change)}
        >
          {words.change(one.last_change)}
        </Button>
        <div className={styles.aside}>{formatFull(one.imported_at)}</div>
      </td>
      <td>
        <Switch
          checked={one.enabled_count > 0}
          disabled={isPending}
          aria-label={words.switchLabel(shown)}
          label={words.enabledOf(one.enabled_count, one.rulesets_count)}
          onChange={({ currentTarget }) => mutate({ name: one.name, isEnabled: currentTarget.checked })}
        />
      </td>
      <td>
        <RowDeletion text={words.remove} label={words.removeLabel(shown)} onClick={onRemove} />
      </td>
    </tr>
  );
}

function PackageTable({ packages }: { packages: readonly RulePackage[] }) {
  const remove = useRemovePackage();
  const [doomed, setDoomed] = useState<string | null>(null);
  const [told, setTold] = useState<string | null>(null);
  const { columns } = words;
  if (packages.length === 0) return <p className={styles.empty}>{words.none}</p>;
  return (
    <>
      <Table
        columns={[
          columns.name,
          columns.licence,
          { label: columns.files, as: 'number' },
          { label: columns.rules, as: 'number' },
          { label: columns.matches, as: 'number' },
          columns.change,
          columns.enabled,
          { label: columns.action, as: 'hidden' },
        ]}
      >
        {packages.map((one) => (
          <PackageRow
            key={one.name}
            one={one}
            onChange={() => setTold(one.name)}
            onRemove={() => setDoomed(one.name)}
          />
        ))}
      </Table>
      {told !== null && <ChangeDialog name={told} onClose={() => setTold(null)} />}
      <ConfirmDialog
        isOpen={doomed !== null}
        onClose={() => setDoomed(null)}
        title={words.removeTitle(visibleString(doomed ?? '', 80))}
        action={words.remove}
        isPending={remove.isPending}
        onConfirm={() => remove.mutate(doomed ?? '', { onSuccess: () => setDoomed(null) })}
      >
        {words.removeText}
      </ConfirmDialog>
    </>
  );
}

function Packages() {
  const packages = useRulePackages();
  return (
    <ScrollRegion label={words.title}>
      <div className={own.content}>
        <Group title={words.listTitle} note={words.note}>
          {packages.isSuccess ? <PackageTable packages={packages.data.results} /> : <QueryState query={packages} />}
        </Group>
        <Group title={words.importTitle} note={words.importNote}>
          {packages.isSuccess && <Imports imports={packages.data.imports} />}
          <ImportForm />
        </Group>
      </div>
    </ScrollRegion>
  );
}

export function Component() {
  const may = useMay();
  return (
    <Page
      title={words.title}
      actions={
        <Button variant="default" component={Link} to="/rulesets">
          {words.rulesets}
        </Button>
      }
    >
      {may('rule-packages.manage') ? (
        <Packages />
      ) : (
        <StatePanel icon="rulesets" title={words.notAllowed}>
          {words.notAllowedText}
        </StatePanel>
      )}
    </Page>
  );
}
