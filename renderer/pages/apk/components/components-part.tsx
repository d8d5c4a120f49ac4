// Components, and what can start them. Knows the report only.
import { Switch } from '@mantine/core';
import { useMemo } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { ComponentRecord } from '../../../../server/contract/engine/reports.ts';
import { Segments } from '../../../components/page/segments.tsx';
import { StatePanel } from '../../../components/page/state-panel.tsx';
import { codeAddress } from '../../../components/place/place-address.ts';
import { FilterBar } from '../../../components/table/filter-bar.tsx';
import { useFilter } from '../../../components/table/use-filter.ts';
import { ListRows } from '../../../components/table/virtual-rows.tsx';
import { Chip } from '../../../components/text/chip.tsx';
import { HostileText } from '../../../components/text/hostile-text.tsx';
import { texts } from '../../../texts.ts';
import { CutNote } from '../cut-note.tsx';
import shared from '../parts.module.css';
import type { ReportPartProps } from '../parts.tsx';
import styles from './components.module.css';
import { ComponentsPicture } from './components-picture.tsx';
import { isLauncher, isUnguarded } from './guard.ts';
import { componentsTexts, graphTexts } from './texts.ts';

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
      <span className={shared.faint}>{name}</span>
      <span>
        {values.slice(0, maxValues).map((value, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a manifest may repeat a value
          <span key={index} className={shared.value}>
            <HostileText value={value} max={160} mono />
          </span>
        ))}
        {values.length > maxValues && texts.filter.rest(values.length - maxValues)}
      </span>
    </div>
  );
}

const valuesOf = (value: string | null) => (value === null ? [] : [value]);

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

function ComponentLine({ sha256, component }: { sha256: string; component: ComponentRecord }) {
  const filters = component.intent_filters;
  return (
    <div className={styles.component} data-testid="component">
      <div className={styles.componentHead}>
        <span className={styles.kind}>{componentsTexts.kind[component.kind]}</span>
        <b>
          <HostileText value={component.name} mono />
        </b>
        {component.exported ? (
          <Chip tone={isUnguarded(component) ? 'medium' : 'low'}>
            {isLauncher(component) ? componentsTexts.launcher : componentsTexts.exported}
          </Chip>
        ) : (
          <Chip tone="quiet">{componentsTexts.internal}</Chip>
        )}
        {component.exported && component.exported_attribute === null && (
          <Chip tone="quiet" title={componentsTexts.implicitText}>
            {componentsTexts.implicit}
          </Chip>
        )}
        {!component.enabled && <Chip tone="quiet">{componentsTexts.disabled}</Chip>}
        <span className={shared.note}>
          <Link to={codeAddress(sha256, `L${(component.target_activity ?? component.name).replaceAll('.', '/')};`)}>
            {graphTexts.openCode}
          </Link>{' '}
          <Link to={`/apks/${sha256}/manifest?${new URLSearchParams({ find: component.name })}`}>
            {graphTexts.openManifest}
          </Link>
        </span>
      </div>
      <Values name={componentsTexts.permission} values={valuesOf(component.permission)} />
      <Values name={componentsTexts.read} values={valuesOf(component.read_permission)} />
      <Values name={componentsTexts.write} values={valuesOf(component.write_permission)} />
      <Values name={componentsTexts.process} values={valuesOf(component.process)} />
      <Values name={componentsTexts.authorities} values={component.authorities} />
      <Values name={componentsTexts.target} values={valuesOf(component.target_activity)} />
      {filters.slice(0, maxFilters).map((filter, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: filters never change places
        <div key={index} className={styles.intentFilter}>
          <Values name={componentsTexts.actions} values={filter.actions} />
          <Values name={componentsTexts.categories} values={filter.categories} />
          <Values name={componentsTexts.data} values={filter.data.map(uriOf)} />
          {filter.priority !== null && filter.priority !== 0 && (
            <Values name={componentsTexts.priority} values={[String(filter.priority)]} />
          )}
          {filter.auto_verify && <Values name={componentsTexts.autoVerify} values={[componentsTexts.yes]} />}
        </div>
      ))}
      {filters.length > maxFilters && <p className={shared.faint}>{texts.filter.rest(filters.length - maxFilters)}</p>}
      <Values
        name={componentsTexts.metaData}
        values={Object.entries(component.meta_data).map(([name, value]) => `${name} = ${value}`)}
      />
    </div>
  );
}

export function Component({ apk: { sha256 }, report }: ReportPartProps) {
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
  const filtered = useFilter(chosen, textOf);
  const count = (of: Kind) => report.components.filter((component) => component.kind === of).length;
  if (report.components.length === 0) return <StatePanel icon="app" title={componentsTexts.none} />;
  return (
    <>
      <FilterBar list={filtered} label={componentsTexts.filter} total={report.components.length}>
        <CutNote report={report} list="components" />
        <Segments
          label={componentsTexts.kindChoice}
          value={kind}
          onChange={(next) => change('kind', next === 'all' ? null : next)}
          labels={{ all: componentsTexts.all, ...componentsTexts.kinds }}
          shown={['all', ...kindOrder.filter((one) => count(one) > 0)]}
          countOf={(one) => (one === 'all' ? undefined : count(one))}
        />
        <Switch
          size="xs"
          label={componentsTexts.onlyExported}
          checked={onlyExported}
          onChange={(event) => change('exported', event.currentTarget.checked ? '1' : null)}
        />
        <Segments
          label={graphTexts.layout}
          value={layout}
          onChange={(next) => change('layout', next === 'list' ? null : next)}
          labels={graphTexts.layouts}
        />
      </FilterBar>
      {layout === 'picture' ? (
        <ComponentsPicture sha256={sha256} components={filtered.shown} />
      ) : (
        <ListRows
          key={`${kind} ${onlyExported} ${filtered.applied}`}
          rows={filtered.shown}
          rowHeight={64}
          isMeasured
          label={componentsTexts.label}
        >
          {(component) => <ComponentLine sha256={sha256} component={component} />}
        </ListRows>
      )}
    </>
  );
}
