// The ciphers that stood between what the app was told and what it compared. Knows no comparison.
import { CipherFault, parseTransformation, runCipher } from '../java/security/ciphers.ts';
import type { Notes } from '../report/recorder.ts';
import type { Crossing } from './inversion.ts';

export type CipherUse = Pick<Notes['cryptousage'], 'algorithm' | 'operation' | 'key' | 'vector' | 'data' | 'result'>;

/** The latest ones stand nearest to what is compared now. */
const maxCrossings = 40;

export const crossings = (uses: readonly CipherUse[]): Crossing[] => uses.slice(-maxCrossings).flatMap(crossingOf);

/** What would have gone into a cipher for something else to come out; of none that is no cipher with a key. */
function crossingOf({ algorithm, operation, key, vector, data, result }: CipherUse): Crossing[] {
  const setting = parseTransformation(algorithm);
  if (setting === null || result === null || !/^(?:en|de)cryption$/.test(operation)) return [];
  const parameters = { key, iv: vector, aad: new Uint8Array(0), tagLength: 128 };
  const back = (wanted: Uint8Array): Uint8Array | null => {
    try {
      return runCipher(setting, operation === 'decryption', parameters, wanted);
    } catch (error) {
      if (error instanceof CipherFault) return null;
      throw error;
    }
  };
  return [{ data, result, back }];
}
