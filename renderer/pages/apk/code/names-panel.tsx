// All names and notes of an APK's code: filtered, led to, taken back; mapping files read and written. Knows no code.
import { ActionIcon, Button, Checkbox, FileButton, Group, Switch } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useDeferredValue, useState } from 'react';
import type { CodeName, MappingResult } from '../../../../server/contract/catalogue/code-name.ts';
import {
  mappingOf,
  useCodeNames,
  useDeobfuscate,
  useDeobfuscation,
  useImportMapping,
  useRemoveCodeName,
} from '../../../api/code-name-queries.ts';
import { SaveButton } from '../../../components/file/save-button.tsx';
import { QueryState, StatePanel } from '../../../components/page/state-panel.tsx';
import { Icon } from '../../../components/picture/icon.tsx';
import { ListRows } from '../../../components/table/virtual-rows.tsx';
import { HostileText, visibleString } from '../../../components/text/hostile-text.tsx';
import { AppOffers } from './app-offers.tsx';
import styles from './code.module.css';
import { codeTexts } from './texts.ts';

const words = codeTexts.names;
/** Bytes of a mapping file; the server takes no more in one request. */
const maxMapping = 7_000_000;

interface NamesPanelProps {
  sha256: string;
  onName: (name: Pick<CodeName, 'symbol' | 'address'>) => void;
}

/** Whether what is called by no word is shown with readable names: said once for all who open the APK. */
function Deobfuscation({ sha256 }: { sha256: string }) {
  const { data } = useDeobfuscation(sha256);
  const change = useDeobfuscate(sha256);
  const isOn = change.isPending ? change.variables : data?.is_on;
  return (
    <Switch
      size="xs"
      label={words.deobfuscate}
      description={words.deobfuscateWhy}
      checked={isOn ?? false}
      disabled={isOn === undefined || change.isPending}
      onChange={(event) => change.mutate(event.currentTarget.checked)}
    />
  );
}

function MappingFiles({ sha256 }: { sha256: string }) {
  const [isDerived, setDerived] = useState(false);
  const reading = useImportMapping(sha256);
  const read = async (file: File | null) => {
    if (file === null) return;
    if (file.size > maxMapping) notifications.show({ message: words.tooLarge, color: 'red' });
    else reading.mutate(await file.text());
  };
  return (
    <>
      <Group gap={6}>
        <FileButton onChange={(file) => void read(file)}>
          {(props) => (
            <Button {...props} size="compact-xs" variant="default" loading={reading.isPending}>
              {words.importMapping}
            </Button>
          )}
        </FileButton>
        {(['proguard', 'jadx'] as const).map((format) => (
          <SaveButton
            key={format}
            label={words.exportAs[format]}
            fileName={`${sha256.slice(0, 16)}.${format === 'jadx' ? 'jobf' : 'txt'}`}
            type="text/plain"
            fetchParts={async () => [await mappingOf(sha256, format, isDerived)]}
          />
        ))}
        <Checkbox
          size="xs"
          label={words.withDerived}
          checked={isDerived}
          onChange={(event) => setDerived(event.currentTarget.checked)}
        />
      </Group>
      {reading.data !== undefined && <ImportResult result={reading.data} />}
    </>
  );
}

function ImportResult({ result }: { result: MappingResult }) {
  return (
    <div role="status" className={styles.imported}>
      {words.imported(result.applied, result.refused)}
      {result.lines.length > 0 && (
        <details>
          <summary>{words.refusedLines}</summary>
          <ul>
            {result.lines.slice(0, 100).map(({ line, text, reason }) => (
              <li key={line}>
                {words.line(line)} <HostileText value={text} max={120} mono isFixed /> {visibleString(reason, 300)}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

export function NamesPanel({ sha256, onName }: NamesPanelProps) {
  const [filter, setFilter] = useState('');
  const q = useDeferredValue(filter).trim();
  const names = useCodeNames(sha256, q);
  const remove = useRemoveCodeName(sha256);
  return (
    <div className={styles.search}>
      <div className={styles.searchForm}>
        <input
          className={styles.namesFilter}
          value={filter}
          onChange={(event) => setFilter(event.currentTarget.value)}
          placeholder={words.filter}
          aria-label={words.filter}
          spellCheck={false}
          maxLength={1000}
        />
        <Deobfuscation sha256={sha256} />
        <MappingFiles sha256={sha256} />
      </div>
      <AppOffers sha256={sha256} onOffer={(symbol) => onName({ symbol, address: null })} />
      {!names.isSuccess ? (
        <QueryState query={names} />
      ) : (
        <>
          <p className={styles.count} role="status">
            {words.count(names.data.count)}
          </p>
          {names.data.count === 0 && (
            <StatePanel icon="search" title={q === '' ? words.none : words.noneFound}>
              {q === '' && words.noneText}
            </StatePanel>
          )}
          <ListRows rows={names.data.items} rowHeight={44} label={words.label}>
            {(name) => (
              <div className={styles.nameRow}>
                <button type="button" className={styles.hit} data-testid="code-name" onClick={() => onName(name)}>
                  <span className={styles.hitText}>
                    {name.kind === 'note' && `${words.noteMark} `}
                    <HostileText value={name.text} max={200} mono={name.kind === 'name'} isFixed />
                  </span>
                  <span className={styles.hitNote}>
                    <span className={styles.oneLine}>
                      <HostileText value={name.symbol} max={160} isFixed />
                    </span>
                    <span>{visibleString(name.analyst, 40)}</span>
                  </span>
                </button>
                <ActionIcon
                  size={24}
                  aria-label={words.remove(visibleString(name.text, 60))}
                  onClick={() => remove.mutate(name.id)}
                >
                  <Icon name="close" size={12} />
                </ActionIcon>
              </div>
            )}
          </ListRows>
          {names.hasNextPage && (
            <Button
              size="compact-xs"
              variant="default"
              loading={names.isFetching}
              onClick={() => void names.fetchNextPage()}
            >
              {words.more}
            </Button>
          )}
        </>
      )}
    </div>
  );
}
