// Where a worker process finds its end of the line, and how much may come over it. Workers load it: it imports no schema.
import { maxReportSize } from '../engine/result-limits.ts';
import type { ValueBounds } from './bounds.ts';
import type { FrameLimits } from './frames.ts';
import type { EngineTaskKind } from './tasks.ts';

/** Pipes beside the standard streams, which anything may write to. */
export const inputDescriptor = 3;
export const outputDescriptor = 4;

const mebibyte = 1_048_576;

/** Characters in which a worker says why a task failed. */
export const maxFailureText = 1000;
/** Bytes of a progress message. */
export const maxProgressSize = 1000;

/** Thousands of rulesets, and the reports that they ask. */
export const requestLimits: FrameLimits = { text: 256 * mebibyte, attached: 3 * maxReportSize };

/** What a message of a worker may be while it has such a task; more is refused before it is read. */
export const replyLimits: Record<EngineTaskKind, FrameLimits & ValueBounds> = {
  identify: { text: 16 * mebibyte, attached: 24 * mebibyte, depth: 8, count: 200_000, longest: 16_384 },
  // The names of its code are one text.
  static: { text: 48 * mebibyte, attached: 128 * mebibyte, depth: 8, count: 400_000, longest: 4 * mebibyte },
  dynamic: { text: 16 * mebibyte, attached: 192 * mebibyte, depth: 8, count: 200_000, longest: 16_384 },
  // A decompressed XML document has no bound of its own.
  explore: { text: 64 * mebibyte, attached: 40 * mebibyte, depth: 10, count: 700_000, longest: 48 * mebibyte },
  // The longest class that is printed, and a page before it.
  decompile: { text: 96 * mebibyte, attached: 0, depth: 8, count: 10_000, longest: 40 * mebibyte },
  children: { text: mebibyte, attached: 0, depth: 8, count: 100_000, longest: 131_072 },
  // Findings as of a static report.
  child: { text: 32 * mebibyte, attached: 64 * mebibyte, depth: 8, count: 200_000, longest: 16_384 },
  compare: { text: mebibyte, attached: 64 * mebibyte, depth: 8, count: 1000, longest: 16_384 },
  align: { text: 48 * mebibyte, attached: 0, depth: 8, count: 200_000, longest: 16_384 },
  library: { text: 16 * mebibyte, attached: 8 * mebibyte, depth: 4, count: 30_000, longest: 16_384 },
  features: { text: 8 * mebibyte, attached: 0, depth: 8, count: 30_000, longest: 16_384 },
  compile: { text: 48 * mebibyte, attached: 0, depth: 8, count: 1_000_000, longest: mebibyte },
  yara: { text: 96 * mebibyte, attached: 0, depth: 10, count: 2_000_000, longest: mebibyte },
  prints: { text: mebibyte, attached: 64 * mebibyte, depth: 4, count: 100, longest: 16_384 },
  content_plan: { text: 96 * mebibyte, attached: 0, depth: 8, count: 8_000_000, longest: 16_384 },
  find_content: { text: 48 * mebibyte, attached: 0, depth: 8, count: 20_000, longest: 131_072 },
  content_needs: { text: mebibyte, attached: 0, depth: 8, count: 20_000, longest: 16_384 },
  prepare: { text: 48 * mebibyte, attached: 1024 * mebibyte, depth: 8, count: 1_000_000, longest: mebibyte },
  // Texts of all rules.
  rule_archive: { text: 160 * mebibyte, attached: 0, depth: 5, count: 200_000, longest: 12 * mebibyte },
  evidence: { text: 32 * mebibyte, attached: 0, depth: 8, count: 200_000, longest: 16_384 },
  join: { text: 16 * mebibyte, attached: 64 * mebibyte, depth: 8, count: 50_000, longest: 16_384 },
};

/** More files than this in one archive of APKs is an attack or a mistake. */
export const maxBundleEntries = 100_000;
/** Archives in each other, the outermost counted. */
export const maxBundleDepth = 4;
/** UTF-16 units of a file's name: a ZIP's directory has no room for more, and of other archives it is cut. */
export const maxBundleName = 65_535;
export const bundleRequestLimits: FrameLimits = { text: mebibyte, attached: 0 };
export const bundleReplyLimits: FrameLimits = { text: 64 * mebibyte, attached: mebibyte };
