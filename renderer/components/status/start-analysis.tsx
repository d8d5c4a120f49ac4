// A button that starts an analysis of an APK, where this workstation can make it. Knows nothing of what comes of it.
import { Button } from '@mantine/core';
import type { AnalysisKind } from '../../../server/contract/jobs/job.ts';
import { useAnalyse, useHealth } from '../../api/queries.ts';
import { texts } from '../../texts.ts';
import { Icon } from '../picture/icon.tsx';
import { jobsTexts } from './texts.ts';

interface StartAnalysisProps {
  sha256: string;
  kind: AnalysisKind;
  /** One was made and failed. */
  isAgain: boolean;
}

export function StartAnalysis({ sha256, kind, isAgain }: StartAnalysisProps) {
  const health = useHealth();
  const analyse = useAnalyse(sha256);
  if (health.data?.analyses.includes(kind) !== true) return null;
  return (
    <>
      <Button
        leftSection={<Icon name={isAgain ? 'retry' : 'flask'} size={14} />}
        loading={analyse.isPending}
        onClick={() => analyse.mutate(kind)}
      >
        {isAgain ? texts.state.retry : jobsTexts.kinds[kind]}
      </Button>
      {analyse.isError && <p role="alert">{analyse.error.message}</p>}
    </>
  );
}
