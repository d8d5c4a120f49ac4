// What of the catalogue a file from the disk is like, which is looked into and not kept. Knows no record of it: there is none.
import { Button, FileButton } from '@mantine/core';
import { Page } from '../../components/page/page.tsx';
import { ErrorPanel, LoadingPanel, StatePanel } from '../../components/page/state-panel.tsx';
import { Icon } from '../../components/picture/icon.tsx';
import { SimilarList } from '../../components/similar/similar-list.tsx';
import { similarTexts } from '../../components/similar/texts.ts';
import { ProgressBar } from '../../components/status/progress-bar.tsx';
import { formatSize, percent } from '../../components/text/format.ts';
import { HostileText } from '../../components/text/hostile-text.tsx';
import { enqueueUploads } from '../../shell/uploads/upload-queue.ts';
import { askAbout, forgetAsked, useAskedFile } from './asked-file.ts';
import styles from './like.module.css';
import { likeTexts as words } from './texts.ts';

const ChooseFile = ({ label }: { label: string }) => (
  <FileButton onChange={(file) => file !== null && void askAbout(file)}>
    {(given) => (
      <Button {...given} variant="default" leftSection={<Icon name="file" size={14} />}>
        {label}
      </Button>
    )}
  </FileButton>
);

function Sending({ sent }: { sent: number }) {
  return (
    <div className={styles.waiting}>
      {sent < 1 ? (
        <StatePanel icon="upload" title={`${words.sending}: ${percent(sent)}`}>
          <ProgressBar share={sent} label={words.sending} />
        </StatePanel>
      ) : (
        <LoadingPanel label={words.reading} />
      )}
      <Button variant="default" onClick={forgetAsked}>
        {words.cancel}
      </Button>
    </div>
  );
}

export function Component() {
  const asked = useAskedFile((state) => state.asked);
  if (asked === null)
    return (
      <Page title={words.title}>
        <StatePanel icon="similar" title={words.none} action={<ChooseFile label={words.choose} />}>
          {words.noneText}
        </StatePanel>
      </Page>
    );
  const { file, sent, found, error } = asked;
  return (
    <Page
      title={words.title}
      bar={
        <>
          <HostileText value={file.name} max={100} isFixed isLtr />
          <span className={styles.soft}>{formatSize(file.size)}</span>
          <b role="status">{found !== null && similarTexts.count(found.count)}</b>
        </>
      }
      actions={
        (found !== null || error !== null) && (
          <>
            {found !== null && (
              <Button variant="default" onClick={() => enqueueUploads([{ file, name: file.name }])}>
                {words.keep}
              </Button>
            )}
            <ChooseFile label={words.another} />
          </>
        )
      }
    >
      {error !== null && <ErrorPanel error={error} onRetry={() => void askAbout(file)} />}
      {error === null && found === null && <Sending sent={sent} />}
      {found?.count === 0 && (
        <StatePanel icon="similar" title={words.noneFound}>
          {words.noneFoundText}
        </StatePanel>
      )}
      {found !== null && found.count > 0 && <SimilarList sha256={null} results={found.results} />}
    </Page>
  );
}
