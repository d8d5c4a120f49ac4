// The APKs that are like one as a picture: each that is opened shows what it is like in turn. Knows no list.
import { useSearchParams } from 'react-router';
import type { ApkDetail } from '../../../../server/contract/catalogue/apk.ts';
import { useSimilarOfAll } from '../../../api/similar-queries.ts';
import { similarTexts as words } from '../../../components/similar/texts.ts';
import { percent } from '../../../components/text/format.ts';
import { apkId, apkThing, type Opening } from '../network/apk-network.ts';
import { NetworkView } from '../network/network-view.tsx';

/** Those of one APK that are drawn; its page lists all. */
const maxOfOne = 20;

export function NeighboursPicture({ apk }: { apk: ApkDetail }) {
  const [parameters] = useSearchParams();
  const opened = [...new Set([apk.sha256, ...parameters.getAll('open').map((id) => id.replace(/^apk:/, ''))])];
  const answers = useSimilarOfAll(opened);
  const openings = opened.map((sha256, index): Opening => {
    const results = answers[index]?.data?.results;
    return {
      id: apkId(sha256),
      // One that has gone, or was not analysed, is like nothing.
      found:
        answers[index]?.isError === true
          ? []
          : results?.slice(0, maxOfOne).map((one) => ({
              thing: apkThing(one.apk),
              length: 1 - one.score,
              note: percent(one.score),
            })),
      leftOut: Math.max(0, (results?.length ?? 0) - maxOfOne),
    };
  });
  const reasons = new Map(
    (answers[0]?.data?.results ?? []).map(({ apk: one, reason }) => [apkId(one.sha256), reason] as const),
  );
  return (
    <NetworkView
      middle={apkThing(apk)}
      openings={openings}
      label={words.picture}
      apkWords={words}
      reasonOf={(id) => reasons.get(id) ?? ''}
    />
  );
}
