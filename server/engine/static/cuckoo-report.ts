// Assembles the report in Cuckoo's keys; network and behaviour stay empty until the app has run. Reads no bytes itself.
import { engineVersion } from '../../contract/engine/engine-version.ts';
import type { CuckooReport } from '../../contract/engine/reports.ts';
import type { Finding, Severity } from '../../contract/findings/finding.ts';
import { findingText } from '../../contract/findings/finding-catalogue.ts';
import type { Contents } from './contents.ts';
import type { FileDigests } from './file-digests.ts';

export interface CuckooParts {
  readonly fileName: string;
  readonly size: number;
  readonly digests: Omit<FileDigests, 'tlsh'>;
  readonly hasSigningBlock: boolean;
  readonly findings: readonly Finding[];
  readonly strings: readonly string[];
  /** Milliseconds since 1970. */
  readonly started: number;
  readonly ended: number;
}

/** Cuckoo's scale, 1 to 5. */
const severityNumbers: Readonly<Record<Severity, number>> = { info: 1, low: 2, medium: 3, high: 4, critical: 5 };

export function cuckooReport(parts: CuckooParts): CuckooReport {
  const { fileName, size, digests, started, ended } = parts;
  return {
    info: {
      version: `${engineVersion}`,
      category: 'file',
      package: 'apk',
      started: new Date(started).toISOString(),
      ended: new Date(ended).toISOString(),
      duration: Math.round((ended - started) / 1000),
    },
    target: {
      category: 'file',
      file: {
        name: fileName,
        size,
        type: `Android package (APK), with AndroidManifest.xml${parts.hasSigningBlock ? ', with APK Signing Block' : ''}`,
        ...digests,
      },
    },
    network: { http: [], dns: [], domains: [], hosts: [], tcp: [], udp: [], smtp: [], irc: [] },
    behavior: { summary: { files: [], keys: [], mutexes: [] } },
    signatures: signaturesOf(parts.findings),
    strings: [...parts.strings],
  };
}

/** One signature per kind of finding, at its highest severity, with every place as a mark; the gravest first. */
function signaturesOf(findings: readonly Finding[]): CuckooReport['signatures'] {
  const byCode = new Map<string, CuckooReport['signatures'][number]>();
  for (const { code, severity, where, evidence } of findings) {
    let signature = byCode.get(code);
    if (signature === undefined) {
      signature = { name: code, description: findingText(code).title, severity: 1, marks: [] };
      byCode.set(code, signature);
    }
    signature.severity = Math.max(signature.severity, severityNumbers[severity]);
    signature.marks.push({ where, evidence });
  }
  return [...byCode.values()].sort((left, right) => right.severity - left.severity);
}

const maxResourceStrings = 4000;
const maxNativeStrings = 4000;
const maxBundleStrings = 4000;
const minLength = 4;
const maxLength = 400;

export interface ReportStrings {
  readonly strings: string[];
  /** Whether some were left out. */
  readonly isCut: boolean;
}

/**
 * Distinct printable strings: those that code loads, then those of resources, of native libraries and of bundles, each
 * kind in its own order and cut at its own share.
 */
export function reportStrings(
  loaded: ReadonlySet<string>,
  resources: Iterable<string>,
  { libraries, bundles }: Pick<Contents, 'libraries' | 'bundles'>,
): ReportStrings {
  const strings = new Set(loaded);
  let isCut = false;
  const addAll = (texts: Iterable<string>, share: number): void => {
    const limit = strings.size + share;
    for (const text of texts) {
      if (strings.size >= limit) {
        isCut = true;
        return;
      }
      if (text.length >= minLength && !controls.test(text)) strings.add(text.slice(0, maxLength));
    }
  };
  addAll(resources, maxResourceStrings);
  addAll(nativeStrings(libraries), maxNativeStrings);
  addAll(bundles.strings, maxBundleStrings);
  return { strings: [...strings], isCut };
}

const controls = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffd]/;

function* nativeStrings(libraries: Contents['libraries']): Generator<string> {
  for (const library of libraries) yield* library.strings;
}
