// What analysts say of the signer of an APK: known good, known bad, or nothing. Knows no certificate.

import type { ApkDetail } from '../../../../server/contract/catalogue/apk.ts';
import { type KnownKind, ownSigners } from '../../../../server/contract/catalogue/known.ts';
import { useSignerJudgement } from '../../../api/administration-queries.ts';
import { Segments } from '../../../components/page/segments.tsx';
import { signatureTexts } from './texts.ts';

type Word = KnownKind | 'none';

export function SignerJudgement({ apk, certificate }: { apk: ApkDetail; certificate: string }) {
  const judge = useSignerJudgement();
  const said = apk.workstation.known.find(({ list }) => list === ownSigners)?.kind ?? 'none';
  const value: Word = judge.isPending ? judge.variables.word : said;
  return (
    <Segments
      label={signatureTexts.judgement}
      value={value}
      labels={signatureTexts.judgements}
      onChange={(word) => judge.mutate({ sha256: certificate, word })}
    />
  );
}
