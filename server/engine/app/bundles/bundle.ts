// What is told of code of another runtime that an app bundles. Knows no format.
import type { BundleKind, BundleRecord } from '../../../contract/engine/bundles.ts';
import { FormatError } from '../../formats/byte-reader.ts';

export interface BundleString {
  /** In the entry, unpacked; null where that is compressed once more. */
  offset: number | null;
  text: string;
}

/** @returns whether all strings were handed out whole */
export type BundleStrings = Generator<BundleString, boolean>;

export interface Bundle extends Omit<BundleRecord, 'path' | 'size'> {
  /**
   * What its strings are where they do not stand apart in the bytes, which the report has to read one by one: constants
   * of code, or texts in which a name alone means nothing.
   */
  holds: 'constants' | 'documents' | null;
  readTexts(): BundleStrings;
}

const maxValueLength = 2000;
const maxListed = 20;

export function bundle(kind: BundleKind, more: Partial<Bundle>): Bundle {
  const { details = [], faults = [] } = more;
  return {
    ...{ kind, version: '', functions: null, modules: null, strings: null, holds: null, readTexts: noTexts },
    ...more,
    details: details
      .filter(({ value }) => value !== '')
      .slice(0, maxListed)
      .map(({ name, value }) => ({ name, value: value.slice(0, maxValueLength) })),
    faults: faults.slice(0, maxListed).map((fault) => fault.slice(0, maxValueLength)),
  };
}

// biome-ignore lint/correctness/useYield: a bundle without strings of its own
function* noTexts(): BundleStrings {
  return true;
}

/** What a reader makes; where the bytes break the format, what and where is the bundle's fault. */
export function read<T>(faults: string[], run: () => T): T | null {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    faults.push(error.message);
    return null;
  }
}

export const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
