// What can be done with the chosen APKs at once. Knows which they are, not how they were chosen.
import { Button, Menu, Modal, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { Apk } from '../../../server/contract/catalogue/apk.ts';
import { csvRow } from '../../../server/contract/csv.ts';
import type { BulkAction, BulkRequest } from '../../../server/contract/jobs/bulk.ts';
import { useBulk } from '../../api/catalogue-queries.ts';
import { type CatalogueList, cursorOf, fetchCataloguePage, useMay } from '../../api/queries.ts';
import { saveFile } from '../../components/file/save-file.ts';
import { tellError } from '../../components/form/tell-error.ts';
import { compareAddress } from '../../components/place/place-address.ts';
import { compareTexts } from '../compare/texts.ts';
import styles from './catalogue.module.css';
import { bulkTexts as words } from './texts.ts';

/** Either these APKs, or all that the list finds. */
export type Choice =
  | { kind: 'some'; apks: ReadonlyMap<string, Apk> }
  | { kind: 'all'; list: CatalogueList; count: number };

/** Where two chosen ones are compared, or one with another; null for any other number. */
export function comparisonOf(choice: Choice): string | null {
  if (choice.kind === 'all' || choice.apks.size > 2) return null;
  const [first, second] = choice.apks.keys();
  return first === undefined ? null : compareAddress(first, second);
}

const chosenCount = (choice: Choice): number => (choice.kind === 'all' ? choice.count : choice.apks.size);

/** Rows of an export from the window; more are the command line's work. */
const maxExported = 20_000;
const exported = [
  'sha256',
  'md5',
  'sha1',
  'app',
  'package_name',
  'company',
  'version',
  'size',
  'rating',
  'is_detected',
  'is_trusted',
  'is_corrupted',
  'created_at',
] as const satisfies readonly (keyof Apk)[];

async function apksOf(choice: Choice): Promise<Apk[]> {
  if (choice.kind === 'some') return [...choice.apks.values()];
  const apks: Apk[] = [];
  for (let place: string | undefined = ''; place !== undefined && apks.length < maxExported; ) {
    const page: { results: Apk[]; next: string | null } = await fetchCataloguePage(choice.list, place);
    apks.push(...page.results);
    place = cursorOf(page.next);
  }
  return apks.slice(0, maxExported);
}

interface BulkBarProps {
  choice: Choice;
  /** How many could be chosen. */
  found: number;
  onAll: () => void;
  onNone: () => void;
}

export function BulkBar({ choice, found, onAll, onNone }: BulkBarProps) {
  const bulk = useBulk();
  const may = useMay();
  const [asked, setAsked] = useState<'tag' | 'untag' | 'delete' | null>(null);
  const [tag, setTag] = useState('');
  const [isExporting, setExporting] = useState(false);
  const count = chosenCount(choice);
  const comparison = comparisonOf(choice);
  const navigate = useNavigate();

  const run = (action: BulkAction, more: Partial<BulkRequest> = {}) => {
    const about = choice.kind === 'all' ? { search: choice.list.search } : { sha256: [...choice.apks.keys()] };
    bulk.mutate({ action, ...about, ...more } as BulkRequest, {
      onSuccess: ({ job, done, count: all, refused }) => {
        notifications.show({ message: job === null ? words.done(done) : words.begun(all) });
        const [first] = refused;
        if (first !== undefined) {
          notifications.show({ color: 'red', message: words.refused(refused.length, first.detail), autoClose: 8000 });
        }
        setAsked(null);
        if (action === 'delete') onNone();
      },
      onError: tellError,
    });
  };
  const exportAll = async () => {
    setExporting(true);
    try {
      const apks = await apksOf(choice);
      const rows = apks.map((apk) => exported.map((name) => apk[name]));
      saveFile([exported, ...rows].map(csvRow), 'apks.csv', 'text/csv');
      if (apks.length < count) notifications.show({ message: words.exportCut(apks.length) });
    } catch (error) {
      tellError(error as Error);
    } finally {
      setExporting(false);
    }
  };
  return (
    <div className={styles.bulk} role="toolbar" aria-label={words.chosen(count)}>
      <strong className="tabular" data-testid="chosen-count">
        {words.chosen(count)}
      </strong>
      {choice.kind === 'some' && count < found && (
        <Button size="compact-sm" variant="subtle" onClick={onAll}>
          {words.all(found)}
        </Button>
      )}
      <Button size="compact-sm" variant="subtle" color="gray" onClick={onNone}>
        {words.none}
      </Button>
      <Menu>
        <Menu.Target>
          <Button size="compact-sm" variant="default" loading={bulk.isPending}>
            {words.analyse}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {(Object.keys(words.kinds) as (keyof typeof words.kinds)[]).map((kind) => (
            <Menu.Item key={kind} onClick={() => run(kind)}>
              {words.kinds[kind]}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Button
        size="compact-sm"
        variant="default"
        disabled={comparison === null}
        title={comparison === null ? compareTexts.tooMany : compareTexts.hint}
        onClick={() => comparison !== null && void navigate(comparison)}
      >
        {compareTexts.title}
      </Button>
      <Button size="compact-sm" variant="default" onClick={() => setAsked('tag')}>
        {words.tag}
      </Button>
      <Button size="compact-sm" variant="default" onClick={() => setAsked('untag')}>
        {words.untag}
      </Button>
      {may('apk.trust') && (
        <>
          <Button size="compact-sm" variant="default" onClick={() => run('trust')}>
            {words.trust}
          </Button>
          <Button size="compact-sm" variant="default" onClick={() => run('untrust')}>
            {words.untrust}
          </Button>
        </>
      )}
      <Button size="compact-sm" variant="default" loading={isExporting} onClick={() => void exportAll()}>
        {words.export}
      </Button>
      {may('apk.delete') && (
        <Button size="compact-sm" variant="subtle" color="red" onClick={() => setAsked('delete')}>
          {words.delete}
        </Button>
      )}
      <Modal
        opened={asked === 'tag' || asked === 'untag'}
        onClose={() => setAsked(null)}
        title={asked === 'untag' ? words.untag : words.tag}
      >
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (asked === 'tag' || asked === 'untag') run(asked, { tag: tag.trim().replace(/^#/, '') });
          }}
        >
          <TextInput
            label={words.tagName}
            required
            withAsterisk={false}
            data-autofocus
            value={tag}
            onChange={(event) => setTag(event.currentTarget.value)}
          />
          <Button type="submit" mt="sm" loading={bulk.isPending}>
            {words.apply}
          </Button>
        </form>
      </Modal>
      <Modal opened={asked === 'delete'} onClose={() => setAsked(null)} title={words.deleteNow(count)}>
        <p>{words.deleteQuestion(count)}</p>
        <Button variant="default" mr="sm" onClick={() => setAsked(null)} data-autofocus>
          {words.cancel}
        </Button>
        <Button color="red" loading={bulk.isPending} onClick={() => run('delete')}>
          {words.deleteNow(count)}
        </Button>
      </Modal>
    </div>
  );
}
