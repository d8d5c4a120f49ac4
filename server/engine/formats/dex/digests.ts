// Checks a dex file's checksum and signature against its bytes. Knows no tables.
//
// https://source.android.com/docs/core/runtime/dex-format#header-item
import { hash } from 'node:crypto';
import type { Dex } from './dex.ts';

const checksumStart = 12;
const signatureStart = 32;
const adlerModulus = 65_521;
/** Bytes whose sums cannot leave 31 bits before they are reduced: whole numbers of that size are cheapest. */
const adlerBlock = 3792;

/** https://www.rfc-editor.org/rfc/rfc1950#section-8 */
function adler32(bytes: Uint8Array): number {
  let sum = 1;
  for (let start = 0; start < bytes.length; start += adlerBlock)
    sum = addBlock(bytes, start, Math.min(bytes.length, start + adlerBlock), sum);
  return sum;
}

function addBlock(bytes: Uint8Array, start: number, end: number, sum: number): number {
  let low = sum & 0xffff;
  let high = sum >>> 16;
  for (let at = start; at < end; at++) {
    low = (low + bytes[at]!) | 0;
    high = (high + low) | 0;
  }
  return (((high % adlerModulus) << 16) | (low % adlerModulus)) >>> 0;
}

/**
 * Reports a checksum or signature that does not fit the bytes. Android checks the checksum alone and only on some paths;
 * a file that was changed after its build often has neither. Costs a pass over the file for each.
 */
export function checkDigests(dex: Dex): void {
  const { header, bytes, findings, where } = dex;
  const end = Math.min(bytes.length, header.offset + header.fileSize);
  const checksum = adler32(bytes.subarray(header.offset + checksumStart, end));
  if (checksum !== header.checksum) {
    const evidence = `0x${header.checksum.toString(16)} is declared, 0x${checksum.toString(16)} is right`;
    findings.add('dex-checksum', where, evidence);
  }
  const signature = hash('sha1', bytes.subarray(Math.min(header.offset + signatureStart, end), end));
  const declared = Buffer.from(header.signature).toString('hex');
  if (signature !== declared) {
    findings.add('dex-signature', where, `${declared} is declared, ${signature} is right`);
  }
}
