// What the registry knows of vulnerabilities in the locked packages, where it can be asked: no work waits for it.
import { spawnSync } from 'node:child_process';

/** Milliseconds that the registry may take. */
const patience = 15_000;

type Severity = 'info' | 'low' | 'moderate' | 'high' | 'critical';

/** What `npm audit --json` answers, of which only this much is read. */
interface Audit {
  vulnerabilities?: Record<string, { severity: Severity; range: string; nodes: string[] }>;
}

/**
 * One line for each vulnerable package. All is well where none that is shipped is vulnerable in a high degree.
 * @param text what npm has answered; null where it has not
 * @param shipped paths of the packages of which anything is in the program
 */
export function auditResult(text: string | null, shipped: ReadonlySet<string>): { lines: string[]; isWell: boolean } {
  let audit: Audit = {};
  try {
    audit = JSON.parse(text ?? '{}') as Audit;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  if (audit.vulnerabilities === undefined) {
    return { lines: ['skipped: the registry does not say which vulnerabilities it knows of'], isWell: true };
  }
  let isWell = true;
  const lines = Object.entries(audit.vulnerabilities).map(([name, { severity, range, nodes }]) => {
    const isShipped = nodes.some((path) => shipped.has(path));
    const isError = isShipped && (severity === 'high' || severity === 'critical');
    if (isError) isWell = false;
    return `${isError ? 'error' : 'warning'}: ${name} ${range}, ${isShipped ? 'shipped' : 'not shipped'}: ${severity}`;
  });
  return { lines, isWell };
}

/** Asks the registry by npm. */
export function auditLines(root: string, shipped: ReadonlySet<string>) {
  const npm = process.env.npm_execpath;
  const words = ['audit', '--json', '--fetch-retries=0'];
  const [program, ...rest] = npm?.endsWith('.js') ? [process.execPath, npm, ...words] : ['npm', ...words];
  const { stdout, error } = spawnSync(program!, rest, {
    cwd: root,
    encoding: 'utf8',
    timeout: patience,
    shell: process.platform === 'win32' && program === 'npm',
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 64 << 20,
  });
  return auditResult(error === undefined ? stdout : null, shipped);
}
