// Components with what they are open to. Knows the report only.
import { Switch } from '@mantine/core';
import { useMemo } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { ApkDetail } from '../../../server/contract/apk.ts';
import type { AndroguardReport, ComponentRecord } from '../../../server/contract/reports.ts';
import { Chip } from '../../components/chip.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { HostileText } from '../../components/hostile-text.tsx';
import { codeAddress } from '../../components/place-address.ts';
import { Segments } from '../../components/segments.tsx';
import { StatePanel } from '../../components/state-panel.tsx';
import { useFilter } from '../../components/use-filter.ts';
import { VirtualRows } from '../../components/virtual-rows.tsx';
import { formatCount } from '../../counted.ts';
import { texts } from '../../texts.ts';
import { ComponentsPicture } from './components-picture.tsx';
import styles from './parts.module.css';

type Kind = ComponentRecord['kind'];
const kindOrder: Kind[] = ['activity', 'activity-alias', 'service', 'receiver', 'provider'];

/** Filters and values drawn at once for one component; a hostile one declares thousands. */
const maxFilters = 30;
const maxValues = 40;

const textOf = (component: ComponentRecord) =>
  [
    component.name,
    component.permission ?? '',
    ...component.authorities,
    ...component.intent_filters.flatMap(({ actions, categories, data }) => [
      ...actions,
      ...categories,
      ...data.flatMap((attributes) => Object.values(attributes)),
    ]),
  ].join(' ');

function Values({ name, values }: { name: string; values: readonly string[] }) {
  if (values.length === 0) return null;
  return (
    <div className={styles.filterLine}>
      <span className={styles.faint}>{name}</span>
      <span>
        {values.slice(0, maxValues).map((value, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a manifest may repeat a value
          <span key={index} className={styles.value}>
            <HostileText value={value} max={160} mono />
          </span>
        ))}
        {values.length > maxValues && texts.filter.rest(values.length - maxValues)}
      </span>
    </div>
  );
}

const uriOf = (attributes: Record<string, string>) => {
  const { scheme, host, port, path, pathPrefix, pathPattern, mimeType, ...rest } = attributes;
  const address =
    (scheme === undefined ? '' : `${scheme}:`) +
    (host === undefined ? '' : `//${host}`) +
    (port === undefined ? '' : `:${port}`) +
    (path ?? (pathPrefix === undefined ? (pathPattern ?? '') : `${pathPrefix}…`));
  const others = Object.entries(rest).map(([name, value]) => `${name}=${value}`);
  return [address, mimeType ?? '', ...others].filter((part) => part !== '').join(' ');
};

function Component({ sha256, component }: { sha256: string; component: ComponentRecord }) {
  const { components } = texts;
  const filters = component.intent_filters;
  return (
    <div className={styles.component} data-testid="component">
      <div className={styles.componentHead}>
        <span className={styles.kind}>{components.kind[component.kind]}</span>
        <b>
          <HostileText value={component.name} mono />
        </b>
        {component.exported ? (
          <Chip tone={component.permission === null ? 'medium' : 'low'}>{components.exported}</Chip>
        ) : (
          <Chip tone="quiet">{components.internal}</Chip>
        )}
        {component.exported && component.exported_attribute === null && (
          <Chip tone="quiet" title={components.implicitText}>
            {components.implicit}
          </Chip>
        )}
        {!component.enabled && <Chip tone="quiet">{components.disabled}</Chip>}
        <span className={styles.note}>
          <Link to={codeAddress(sha256, `L${(component.target_activity ?? component.name).replaceAll('.', '/')};`)}>
            {texts.graph.openCode}
          </Link>{' '}
          <Link to={`/apks/${sha256}/manifest?${new URLSearchParams({ find: component.name })}`}>
            {texts.graph.openManifest}
          </Link>
        </span>
      </div>
      <Values name={components.permission} values={component.permission === null ? [] : [component.permission]} />
      <Values name={components.read} values={component.read_permission === null ? [] : [component.read_permission]} />
      <Values
        name={components.write}
        values={component.write_permission === null ? [] : [component.write_permission]}
      />
      <Values name={components.process} values={component.process === null ? [] : [component.process]} />
      <Values name={components.authorities} values={component.authorities} />
      <Values name={components.target} values={component.target_activity === null ? [] : [component.target_activity]} />
      {filters.slice(0, maxFilters).map((filter, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: filters never change places
        <div key={index} className={styles.intentFilter}>
          <Values name={components.actions} values={filter.actions} />
          <Values name={components.categories} values={filter.categories} />
          <Values name={components.data} values={filter.data.map(uriOf)} />
          {filter.priority !== null && filter.priority !== 0 && (
            <Values name={components.priority} values={[String(filter.priority)]} />
          )}
          {filter.auto_verify && <Values name={components.autoVerify} values={[components.yes]} />}
        </div>
      ))}
      {filters.length > maxFilters && <p className={styles.faint}>{texts.filter.rest(filters.length - maxFilters)}</p>}
      <Values
        name={components.metaData}
        values={Object.entries(component.meta_data).map(([name, value]) => `${name} = ${value}`)}
      />
    </div>
  );
}

export function ComponentsTab({ apk: { sha256 }, report }: { apk: ApkDetail; report: AndroguardReport }) {
  const [parameters, setParameters] = useSearchParams();
  const kind = kindOrder.find((one) => one === parameters.get('kind')) ?? 'all';
  const onlyExported = parameters.has('exported');
  const layout = parameters.get('layout') === 'picture' ? 'picture' : 'list';
  const change = (name: string, value: string | null) => {
    const next = new URLSearchParams(parameters);
    if (value === null) next.delete(name);
    else next.set(name, value);
    setParameters(next, { replace: true });
  };
  const chosen = useMemo(
    () =>
      report.components
        .filter((component) => (kind === 'all' || component.kind === kind) && (!onlyExported || component.exported))
        .sort(
          (a, b) => Number(b.exported) - Number(a.exported) || kindOrder.indexOf(a.kind) - kindOrder.indexOf(b.kind),
        ),
    [report.components, kind, onlyExported],
  );
  const { filter, setFilter, shown, applied } = useFilter(chosen, textOf);
  const count = (of: Kind) => report.components.filter((component) => component.kind === of).length;
  if (report.components.length === 0) return <StatePanel icon="app" title={texts.components.none} />;
  return (
    <>
      <FilterBar
        value={filter}
        onChange={setFilter}
        label={texts.components.filter}
        shown={shown.length}
        total={report.components.length}
      >
        <Segments
          label={texts.components.kindChoice}
          value={kind}
          onChange={(next) => change('kind', next === 'all' ? null : next)}
          segments={[
            { value: 'all', label: texts.components.all },
            ...kindOrder
              .filter((one) => count(one) > 0)
              .map((one) => ({ value: one, label: texts.components.kinds[one], count: formatCount(count(one)) })),
          ]}
        />
        <Switch
          size="xs"
          label={texts.components.onlyExported}
          checked={onlyExported}
          onChange={(event) => change('exported', event.currentTarget.checked ? '1' : null)}
        />
        <Segments
          label={texts.graph.layout}
          value={layout}
          onChange={(next) => change('layout', next === 'list' ? null : next)}
          segments={[
            { value: 'list', label: texts.graph.layouts.list },
            { value: 'picture', label: texts.graph.layouts.picture },
          ]}
        />
      </FilterBar>
      {layout === 'picture' ? (
        <ComponentsPicture sha256={sha256} components={shown} />
      ) : (
        <VirtualRows
          key={`${kind} ${onlyExported} ${applied}`}
          count={shown.length}
          rowHeight={64}
          isMeasured
          label={texts.apk.tabs.components}
          isNavigable
          isMain
        >
          {(index) => {
            const component = shown[index];
            return component === undefined ? null : <Component sha256={sha256} component={component} />;
          }}
        </VirtualRows>
      )}
    </>
  );
}
