// Which licences the project may depend on, and which packages keep to them. Reads the lock file and what is installed.
import { createRequire } from 'node:module';
import { SPDX } from '@cyclonedx/cyclonedx-library';
import type { LockedPackage } from '../../server/app/papers/locked-packages.ts';

type Expression =
  | { license: string; plus?: true; exception?: string }
  | { left: Expression; conjunction: 'and' | 'or'; right: Expression };
const parse = createRequire(import.meta.url)('spdx-expression-parse') as (expression: string) => Expression;

/** They ask for no more than that their text goes along. */
const allowed = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Python-2.0',
]);

/** Tools of development that stay as they are and of which nothing is shipped; by name, also of their parts for platforms. */
const toolsAlone: Readonly<Record<string, { licence: string; reason: string }>> = {
  '@axe-core/playwright': { licence: 'MPL-2.0', reason: 'tests of accessibility; its files stay as they are' },
  'axe-core': { licence: 'MPL-2.0', reason: 'tests of accessibility; its files stay as they are' },
  lightningcss: { licence: 'MPL-2.0', reason: 'Vite packs style sheets with it; its files stay as they are' },
  'spdx-exceptions': { licence: 'CC-BY-3.0', reason: 'a list of names for this very check' },
  'truncate-utf8-bytes': { licence: 'WTFPL', reason: 'electron-builder shortens names of files with it' },
};

function isAllowed(expression: Expression, also: string | undefined): boolean {
  if ('license' in expression) {
    if (expression.exception !== undefined) return false;
    return allowed.has(expression.license) || expression.license === also;
  }
  const { left, conjunction, right } = expression;
  return conjunction === 'or'
    ? isAllowed(left, also) || isAllowed(right, also)
    : isAllowed(left, also) && isAllowed(right, also);
}

/** Null where it is no SPDX expression. Names are told apart by their letters, not by their case. */
function parsed(licence: string): Expression | null {
  try {
    return parse(SPDX.fixupSpdxId(licence) ?? licence);
  } catch (error) {
    if (error instanceof Error) return null;
    throw error;
  }
}

/**
 * One line for each package whose licence is not allowed or not known.
 * @param shipped paths of the packages of which anything is in the program
 */
export function licenceFaults(packages: Iterable<LockedPackage>, shipped: ReadonlySet<string>): string[] {
  const faults: string[] = [];
  for (const { path, name, version, licence } of packages) {
    const tool = Object.keys(toolsAlone).find((known) => name === known || name.startsWith(`${known}-`));
    const also = tool === undefined || shipped.has(path) ? undefined : toolsAlone[tool]!.licence;
    const expression = licence === null ? null : parsed(licence);
    if (expression !== null && isAllowed(expression, also)) continue;
    const said = licence === null ? 'says nothing of its licence' : `is under ${licence}, which is not allowed`;
    faults.push(`${name} ${version}${shipped.has(path) ? ', which is shipped,' : ''} ${said} (${path})`);
  }
  return faults;
}
