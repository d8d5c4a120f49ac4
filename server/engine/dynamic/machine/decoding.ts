// Which code of the app makes readable texts of data, and where it uses them. Knows no values.
import { BadCode } from '../../code/method-body.ts';
import type { Method } from './linked-class.ts';
import { bodyOf } from './preparation.ts';
import type { TraceEntry } from './throwable-state.ts';

/** Conversions of a number to a byte or a character: code that works on the units of a text has them. */
const toByte = 0x8d;
const toChar = 0x8e;
const decoders =
  /^(?:Ljavax\/crypto\/Cipher;->(?:doFinal|update)|L(?:android|java)\/util\/Base64(?:\$Decoder)?;->decode)\(/;
const invokes = /^invoke-/;

const known = new WeakMap<Method, boolean>();

/** Whether a method computes bytes or characters or decodes them, itself or by a method of its class that it calls. */
function decodes(method: Method, isCallee = false): boolean {
  const found = known.get(method);
  if (found !== undefined) return found;
  let answer = false;
  const { dex } = method.owner;
  if (dex !== null && method.codeOffset !== 0) {
    try {
      const beside = isCallee ? [] : [...method.owner.methods.values()];
      answer = bodyOf(method).instructions.some(({ opcode, index }) => {
        if (opcode.value === toByte || opcode.value === toChar) return true;
        if (!invokes.test(opcode.mnemonic) || opcode.index !== 'method') return false;
        if (decoders.test(dex.method(index))) return true;
        const callee = beside.find(({ dexIndex }) => dexIndex === index);
        return callee !== undefined && callee !== method && decodes(callee, true);
      });
    } catch (error) {
      if (!(error instanceof BadCode)) throw error;
    }
  }
  // What a callee's own callees do was not looked at.
  if (answer || !isCallee) known.set(method, answer);
  return answer;
}

const texts = new Set(['Ljava/lang/String;', 'Ljava/lang/CharSequence;', 'Ljava/lang/Object;']);

export interface CodePosition {
  /** `La/B;->m(I)V` */
  readonly method: string;
  /** In code units. */
  readonly address: number;
}

/**
 * Where a text is used that the running code of the app makes of data: in the caller of a method that hands it over, else
 * where it is made.
 * @param trace of the running thread, innermost first
 * @returns null where the code is none that decodes
 */
export function decodedTextUse(trace: readonly TraceEntry[]): CodePosition | null {
  const own = trace.filter(({ method }) => method.owner.isApp);
  const [maker, caller] = own;
  if (maker === undefined || !decodes(maker.method)) return null;
  const { method, address } = caller !== undefined && texts.has(maker.method.returns) ? caller : maker;
  return { method: `${method.owner.descriptor}->${method.signature}`, address };
}
