// Names and notes on the code of an APK.
import type { CodeName, CodeNameOffer } from '../../contract/catalogue/code-name.ts';
import type { CodeNameRecord, Offer } from '../../services/names/code-names.ts';
import { type Presenting, timestamp } from './presenting.ts';

export function presentCodeName({ baseUrl, ids }: Presenting, sha256: string, name: CodeNameRecord): CodeName {
  const id = ids.encode('code-name', name.id);
  return {
    id,
    url: `${baseUrl}/apks/${sha256}/code/names/${id}/`,
    kind: name.kind,
    symbol: name.symbol,
    address: name.address,
    text: name.text,
    origin: name.origin,
    analyst: name.username,
    created_at: timestamp(name.createdAt),
  };
}

export const presentOffer = ({ symbol, name, sha256 }: Offer): CodeNameOffer => ({
  symbol,
  text: name.text,
  analyst: name.username,
  created_at: timestamp(name.createdAt),
  from: { sha256, symbol: name.symbol },
});
