// Filters: counts of the APKs that a search finds, by field; each value narrows the search. Knows nothing of the rows.
import { Autocomplete } from '@mantine/core';
import { useState } from 'react';
import type { Damage } from '../../../server/contract/catalogue/damage.ts';
import type { FacetValue } from '../../../server/contract/catalogue/facet.ts';
import type { Verdict } from '../../../server/contract/catalogue/verdict.ts';
import type { Severity } from '../../../server/contract/findings/finding.ts';
import type { RiskLevel } from '../../../server/contract/findings/risk.ts';
import { useCompletions, useFacets } from '../../api/catalogue-queries.ts';
import { submitting } from '../../components/form/submitting.ts';
import { QueryState } from '../../components/page/state-panel.tsx';
import { statusTexts } from '../../components/status/texts.ts';
import { formatCount } from '../../components/text/counted.ts';
import { formatMonth, formatSize } from '../../components/text/format.ts';
import { HostileText } from '../../components/text/hostile-text.tsx';
import { verdictTexts } from '../../components/verdict/texts.ts';
import styles from './catalogue.module.css';
import { columnsTexts, facetsTexts as words } from './texts.ts';

type Name = keyof typeof words.names;

function wordsOf(name: Name, { value, label }: FacetValue): string {
  if (value === 'true') return words.yes;
  if (value === 'false') return words.no;
  if (name === 'damage') return statusTexts.damage[value as Damage].name;
  if (name === 'size') return words.from(formatSize(Number(value)));
  if (name === 'date') return formatMonth(value);
  if (name === 'signer') return label === '' ? value : label;
  if (name === 'api') return value.split('.').slice(-2).join('.');
  if (name === 'finding') return label;
  if (name === 'technique') return `${value} ${label}`;
  if (name === 'risk') return statusTexts.riskLevels[value as RiskLevel];
  if (name === 'verdict') return verdictTexts.labels[value as Verdict];
  if (name === 'severity') return columnsTexts.severities[value as Severity];
  return value;
}

/** Names in code are too many to count: one is typed, completed part by part. */
function ClassFacet({ onNarrow }: { onNarrow: (term: string) => void }) {
  const [typed, setTyped] = useState('');
  const name = typed.trim();
  const term = `class:${/[\s"]/.test(name) ? `"${name.replaceAll('"', '')}"` : name}`;
  const { data } = useCompletions(term, term.length, name !== '');
  return (
    <form
      className={styles.facet}
      onSubmit={submitting(() => {
        if (name !== '') onNarrow(/[.*]$/.test(name) ? `${term.replace(/\*$/, '')}*` : term);
      })}
    >
      <h2>{words.names.class}</h2>
      <Autocomplete
        size="xs"
        aria-label={words.className}
        placeholder={words.classPlaceholder}
        maxLength={500}
        spellCheck={false}
        data={name === '' ? [] : [...new Set(data?.completions.map(({ text }) => text))]}
        filter={({ options }) => options}
        value={typed}
        onChange={setTyped}
      />
    </form>
  );
}

export function FacetsPanel({ search, onNarrow }: { search: string; onNarrow: (search: string) => void }) {
  const facets = useFacets(search);
  if (!facets.isSuccess) return <QueryState query={facets} />;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className={styles.facets} tabIndex={0} aria-label={words.title} data-testid="facets">
      {(Object.keys(words.names) as Name[]).map((name) => {
        if (name === 'class')
          return <ClassFacet key={name} onNarrow={(term) => onNarrow(`${search} ${term}`.trim())} />;
        const values = facets.data.facets[name];
        if (values.length === 0) return null;
        const isEstimate = facets.data.sampled !== null && (name === 'domain' || name === 'ip');
        const most = Math.max(...values.map(({ count }) => count));
        return (
          <div key={name} className={styles.facet}>
            <h2>{words.names[name]}</h2>
            {values.map((one) => {
              const shown = wordsOf(name, one);
              return (
                <button
                  key={one.value}
                  type="button"
                  className={styles.facetValue}
                  onClick={() => onNarrow(`${search} ${one.search}`.trim())}
                >
                  <span className="visually-hidden">{words.narrow(words.names[name])}</span>
                  <span
                    className={`${styles.facetBar} bar-behind-text`}
                    style={{ width: `${(100 * one.count) / most}%` }}
                  />
                  <span className={styles.facetName}>
                    <HostileText value={shown} max={60} isFixed />
                    {name === 'signer' && shown !== one.value && (
                      <span className={styles.facetKey}>
                        <HostileText value={one.value.slice(0, 8)} max={8} mono isFixed />
                      </span>
                    )}
                  </span>
                  <span className="tabular">
                    {isEstimate ? words.about(formatCount(one.count)) : formatCount(one.count)}
                  </span>
                </button>
              );
            })}
          </div>
        );
      })}
    </section>
  );
}
