// Methods with sensitive calls that did not run, with the component they belong to. Knows no machine's inside.
import type { DynamicReport } from '../../../contract/engine/reports.ts';
import type { Manifest } from '../../app/manifest/manifest.ts';
import { scanCode } from '../../formats/dex/code-scan.ts';
import type { Dex } from '../../formats/dex/dex.ts';
import type { Coverage } from '../machine/coverage.ts';
import { sensitiveMethods } from './sensitive-apis.ts';

type Unreached = DynamicReport['coverage']['unreached'][number];

/** The list is for a reader. */
const maxListed = 300;

/** @param manifest tells which class is a component, and so how its code would be reached */
export function unreachedCode(dexFiles: readonly Dex[], coverage: Coverage, manifest: Manifest | null): Unreached[] {
  const listed: Unreached[] = [];
  const components = new Map((manifest?.components ?? []).map((each) => [each.name, each]));
  const reachedBy = (className: string): string => {
    const component = components.get(className.replace(/\$.*$/, '')) ?? components.get(className);
    if (component === undefined) return 'a call from code that did not run';
    const [action] = component.intentFilters.flatMap(({ actions }) => actions);
    return action === undefined
      ? `the ${component.kind} ${component.name}`
      : `the ${component.kind} ${component.name} on ${action}`;
  };
  for (const dex of dexFiles) {
    const wanted = sensitiveMethods(dex);
    if (wanted.size === 0) continue;
    const marks = new Uint8Array(dex.methodCount);
    for (const index of wanted.keys()) marks[index] = 1;
    const met = new Set<string>();
    scanCode(dex, { methods: marks }, (_class, methodIndex, _codeOffset, _at, _opcode, index) => {
      const api = wanted.get(index)!;
      if (listed.length >= maxListed || coverage.ran.get(dex)?.has(methodIndex)) return;
      const key = `${methodIndex} ${api}`;
      if (met.has(key)) return;
      met.add(key);
      const className = dex.methodClass(methodIndex).slice(1, -1).replaceAll('/', '.');
      const name = dex.methodName(methodIndex);
      listed.push({ method: `${className}.${name}`, api, reached_by: reachedBy(className) });
    });
  }
  return listed;
}
