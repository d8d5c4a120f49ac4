// Makes reports ready to be stored. Runs in the worker that made them, so that the server need not parse megabytes.
import type {
  JoinedReports,
  PackedDynamic,
  PackedReport,
  PackedStatic,
  StaticResult,
} from '../contract/engine/analysis-results.ts';
import type { AndroguardReport, CuckooParts, CuckooReport, DynamicResult } from '../contract/engine/reports.ts';
import { packArtefacts } from '../vault/packed-artefacts.ts';
import { DamagedReportError } from '../vault/packed-bytes.ts';
import { packJson, unpackJson } from '../vault/packed-json.ts';
import { staticEvidence } from './report-evidence.ts';
import { reportTerms } from './term-collection.ts';

export function packStatic(result: StaticResult): PackedStatic {
  const { identity, androguard, cuckoo, manifest, files, carriesCode, names, timings } = result;
  const { sketch, fingerprint, ownStrings } = result;
  const started = performance.now();
  const reports = {
    androguard: packJson(androguard),
    cuckoo: packJson(cuckoo),
    manifest: packJson({ manifest }),
    files: packJson({ files }),
  };
  const index = reportTerms({ androguard, cuckoo }, names);
  return {
    identity,
    reports,
    index,
    signerHistory: androguard.signature.lineage.map(({ certificate: { sha1, sha256 } }) => ({ sha1, sha256 })),
    carriesCode,
    sketch,
    fingerprint,
    ownStrings,
    ...staticEvidence(androguard),
    timings: { ...timings, pack: Math.round(performance.now() - started) },
  };
}

export function packDynamic({ dynamic, cuckoo, artefacts, findings, timings }: DynamicResult): PackedDynamic {
  return {
    dynamic: packJson(dynamic),
    cuckoo: packJson(cuckoo),
    artefacts: artefacts.length === 0 ? null : packArtefacts(artefacts),
    findings,
    decoded: dynamic.decoded ?? [],
    timings,
  };
}

/** Both lists as one, without duplicates. */
function unitedList<T>(one: readonly T[] | undefined, other: readonly T[] | undefined): T[] {
  return [...new Map([...(one ?? []), ...(other ?? [])].map((item) => [JSON.stringify(item), item])).values()];
}

function united(one: Partial<CuckooParts> | null, other: CuckooParts | null): Partial<CuckooParts> {
  if (other === null || one?.network === undefined) return other ?? { ...pickParts(one) };
  const { network, behavior } = other;
  const files = unitedList(one.behavior?.summary.files, behavior.summary.files);
  return {
    network: {
      ...one.network,
      hosts: unitedList(one.network.hosts, network.hosts),
      tcp: unitedList(one.network.tcp, network.tcp),
      udp: unitedList(one.network.udp, network.udp),
    },
    behavior: { summary: { ...behavior.summary, ...one.behavior?.summary, files } },
  };
}

const pickParts = (parts: Partial<CuckooParts> | null): Partial<CuckooParts> =>
  parts?.network === undefined || parts.behavior === undefined
    ? {}
    : { network: parts.network, behavior: parts.behavior };

/** The strings of a report, and whom the app spoke to; reports of before may lack some of it. */
function withPeers({ strings = [], network }: Partial<CuckooReport>): string[] {
  const { hosts = [], domains = [], http = [] }: Partial<CuckooReport['network']> = network ?? {};
  // Addresses that a look-up was answered with stand for their domains: the simulated phone invents them.
  const answers = new Set(domains.map(({ ip }) => ip));
  const peers = [...hosts.filter((host) => !answers.has(host)), ...domains.map(({ domain }) => domain)];
  const texts = [...peers, ...http.map(({ uri }) => uri)].filter((text): text is string => typeof text === 'string');
  return [...new Set([...strings, ...texts])];
}

const unpacked = <T>(packed: PackedReport | null): T | null => (packed === null ? null : unpackJson<T>(packed));

/** A stored report; a damaged one counts as missing, so that a new static analysis can replace it. */
function readableParts(packed: PackedReport): CuckooParts | null {
  try {
    return unpackJson<CuckooParts>(packed);
  } catch (error) {
    if (error instanceof DamagedReportError) return null;
    throw error;
  }
}

/**
 * Puts the behaviour that a dynamic analysis saw into a cuckoo report, and returns the search terms of all reports.
 * @throws DamagedReportError where a report is damaged whose contents are in no other
 */
export function joinReports(
  packed: Record<'androguard' | 'cuckoo' | 'parts' | 'added', PackedReport | null>,
): JoinedReports {
  const androguard = unpacked<AndroguardReport>(packed.androguard);
  const report = unpacked<CuckooReport>(packed.cuckoo);
  if (packed.parts === null && packed.added === null) {
    return { cuckoo: null, index: reportTerms({ androguard, cuckoo: report }, null) };
  }
  const parts = packed.parts === null ? report : readableParts(packed.parts);
  const added = unpacked<CuckooParts>(packed.added);
  const joined = { ...report, ...united(parts, added) };
  const cuckoo = { ...joined, strings: withPeers(joined) };
  return { cuckoo: packJson(cuckoo), index: reportTerms({ androguard, cuckoo }, null) };
}
