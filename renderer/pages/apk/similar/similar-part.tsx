// What of the catalogue an APK is like: as a list, or as a picture that opens further. Knows records, not code.
import { useSearchParams } from 'react-router';
import { useSimilar } from '../../../api/similar-queries.ts';
import { Segments } from '../../../components/page/segments.tsx';
import { QueryState, StatePanel } from '../../../components/page/state-panel.tsx';
import { SimilarList } from '../../../components/similar/similar-list.tsx';
import { similarTexts as words } from '../../../components/similar/texts.ts';
import shared from '../parts.module.css';
import type { ReportPartProps } from '../parts.tsx';
import { NeighboursPicture } from './neighbours-picture.tsx';

export function Component({ apk }: ReportPartProps) {
  const [parameters, setParameters] = useSearchParams();
  const similar = useSimilar(apk.sha256);
  if (!similar.isSuccess) return <QueryState query={similar} />;
  const { count, results } = similar.data;
  if (count === 0)
    return (
      <StatePanel icon="similar" title={words.none}>
        {words.noneText}
      </StatePanel>
    );
  const layout = parameters.get('layout') === 'picture' ? 'picture' : 'list';
  return (
    <>
      <div className={shared.toolbar}>
        <Segments
          label={words.layout}
          value={layout}
          onChange={(next) => setParameters(next === 'list' ? {} : { layout: next }, { replace: true })}
          labels={words.layouts}
        />
        <b role="status">{words.count(count)}</b>
      </div>
      {layout === 'list' ? <SimilarList sha256={apk.sha256} results={results} /> : <NeighboursPicture apk={apk} />}
    </>
  );
}
