// The head of an APK's page: identity, hashes, verdict and status, what can be done with it. Knows nothing of the report.
import { ActionIcon, Button, Menu, Switch, Tooltip } from '@mantine/core';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import type { ApkDetail } from '../../../server/contract/catalogue/apk.ts';
import { useReportPart } from '../../api/apk-queries.ts';
import { useAnalyse, useDeleteApk, useDownloadLink, useHealth, useJobs, useMay, useTrust } from '../../api/queries.ts';
import { AddToCase } from '../../components/case/add-to-case.tsx';
import { CaseChips } from '../../components/case/case-chips.tsx';
import { addToCaseTexts } from '../../components/case/texts.ts';
import { IndicatorMenu } from '../../components/export/indicator-menu.tsx';
import { FamilyChip } from '../../components/family/family-chip.tsx';
import { fileNameOf } from '../../components/file/save-file.ts';
import { ConfirmDialog } from '../../components/form/confirm-dialog.tsx';
import { tellError } from '../../components/form/tell-error.ts';
import { AppIcon } from '../../components/picture/app-icon.tsx';
import { Icon } from '../../components/picture/icon.tsx';
import { fieldSearch, searchAddress } from '../../components/place/catalogue-address.ts';
import { compareAddress } from '../../components/place/place-address.ts';
import { JobProgress } from '../../components/status/job-progress.tsx';
import { StatusChips } from '../../components/status/status-chips.tsx';
import { jobsTexts, statusTexts } from '../../components/status/texts.ts';
import { Chip } from '../../components/text/chip.tsx';
import { CopyButton } from '../../components/text/copy-button.tsx';
import { formatFull, formatSize } from '../../components/text/format.ts';
import { HostileText, visibleString } from '../../components/text/hostile-text.tsx';
import { offerUndo } from '../../components/trash/offer-undo.tsx';
import { undoTexts } from '../../components/trash/texts.ts';
import { compareTexts } from '../compare/texts.ts';
import { proposalTexts } from '../proposal/texts.ts';
import { usePropose } from '../proposal/use-propose.ts';
import styles from './apk.module.css';
import { androidVersion } from './summary/texts.ts';
import { apkTexts } from './texts.ts';
import { VerdictControl } from './verdict-control.tsx';

/** The first Android version that accepts the signature of an APK, where older ones refuse it. */
function useAcceptedFrom({ sha256, workstation, is_static_analyzed }: ApkDetail): string | undefined {
  const isAsked = workstation.damage === 'signature' && is_static_analyzed;
  const report = useReportPart(sha256, 'androguard', isAsked);
  const finding = report.data?.findings.find(({ code }) => code === 'signature-fails-before');
  const level = /API level (\d+)/.exec(finding?.evidence ?? '')?.[1];
  return level === undefined ? undefined : androidVersion(Number(level));
}

function Status({ apk }: { apk: ApkDetail }) {
  const jobs = useJobs({ apk: apk.sha256 });
  const latest = jobs.data?.results.find(({ kind }) => kind === 'static');
  return (
    <>
      <StatusChips apk={apk} failsBefore={useAcceptedFrom(apk)} />
      <FamilyChip apk={apk} />
      {apk.is_installed && <Chip tone="info">{statusTexts.installed}</Chip>}
      {latest?.status === 'partial' && (
        <Chip tone="medium" title={statusTexts.partialText}>
          {statusTexts.partial}
        </Chip>
      )}
      <CaseChips sha256={apk.sha256} />
      {apk.tags.map((tag) => (
        <Chip key={tag} tone="info">
          <HostileText value={`#${tag}`} max={40} isFixed />
        </Chip>
      ))}
    </>
  );
}

function Hash({ name, value }: { name: string; value: string }) {
  return (
    <span className={styles.hash}>
      <span>{name}</span>
      <code title={value}>{value}</code>
      <CopyButton text={value} what={name} />
    </span>
  );
}

function DeleteDialog({ apk, isOpen, onClose }: { apk: ApkDetail; isOpen: boolean; onClose: () => void }) {
  const navigate = useNavigate();
  const remove = useDeleteApk(apk.sha256);
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={apkTexts.deleteTitle}
      action={apkTexts.delete}
      cancel={apkTexts.keep}
      isPending={remove.isPending}
      onConfirm={() =>
        remove.mutate(undefined, {
          onSuccess: () => {
            onClose();
            offerUndo(undoTexts.deleted(1), [apk.sha256]);
            void navigate('/catalogue');
          },
        })
      }
    >
      <p className={styles.deleteText}>
        <HostileText value={apk.app || apk.package_name} max={120} isFixed />
        <br />
        <code>{apk.sha256}</code>
      </p>
      <p>{apkTexts.deleteText}</p>
    </ConfirmDialog>
  );
}

/** In the order of the menu. */
const analysisKinds = ['static', 'dynamic', 'yara', 'antivirus'] as const;

function openDownload(address: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = '';
  link.click();
}

function Actions({ apk }: { apk: ApkDetail }) {
  const may = useMay();
  const health = useHealth();
  const analyse = useAnalyse(apk.sha256);
  const download = useDownloadLink(apk.sha256);
  const trust = useTrust(apk.sha256);
  const { propose, isPending: isProposing } = usePropose();
  const [isDeleting, setDeleting] = useState(false);
  const [isAdding, setAdding] = useState(false);
  const kinds = analysisKinds.filter((kind) => health.data?.analyses.includes(kind) ?? kind === 'static');
  return (
    <div className={styles.actions}>
      <VerdictControl apk={apk} />
      {may('apk.trust') && (
        <Switch
          size="xs"
          label={statusTexts.trusted}
          checked={trust.isPending ? trust.variables : apk.is_trusted}
          onChange={(event) => trust.mutate(event.currentTarget.checked)}
        />
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" leftSection={<Icon name="flask" size={14} />} loading={analyse.isPending}>
            {apkTexts.analyse}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {kinds.map((kind) => (
            <Menu.Item key={kind} onClick={() => analyse.mutate(kind, { onError: tellError })}>
              {jobsTexts.kinds[kind]}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Tooltip label={compareTexts.withOther}>
        <ActionIcon
          component={Link}
          to={compareAddress(apk.sha256)}
          variant="default"
          aria-label={compareTexts.withOther}
        >
          <Icon name="compare" />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={proposalTexts.proposeHint}>
        <ActionIcon
          variant="default"
          aria-label={proposalTexts.propose}
          loading={isProposing}
          onClick={() => propose({ apks: [apk.sha256] })}
        >
          <Icon name="rulesets" />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={addToCaseTexts.add}>
        <ActionIcon variant="default" aria-label={addToCaseTexts.add} onClick={() => setAdding(true)}>
          <Icon name="folder" />
        </ActionIcon>
      </Tooltip>
      <Menu position="bottom-end">
        <Menu.Target>
          <Tooltip label={apkTexts.download}>
            <ActionIcon variant="default" aria-label={apkTexts.download} loading={download.isPending}>
              <Icon name="download" />
            </ActionIcon>
          </Tooltip>
        </Menu.Target>
        <Menu.Dropdown>
          {[false, true].map((isLocked) => (
            <Menu.Item
              key={String(isLocked)}
              onClick={() => download.mutate(isLocked, { onSuccess: ({ download_url }) => openDownload(download_url) })}
            >
              {isLocked ? apkTexts.downloadLocked : apkTexts.downloadPlain}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <IndicatorMenu of={{ apk: apk.sha256 }} fileName={fileNameOf(apk.sha256, 'indicators')} look="icon" />
      {may('apk.delete') && (
        <Tooltip label={apkTexts.delete}>
          <ActionIcon variant="default" aria-label={apkTexts.delete} onClick={() => setDeleting(true)}>
            <Icon name="trash" />
          </ActionIcon>
        </Tooltip>
      )}
      <AddToCase of={{ apks: [apk.sha256] }} isOpen={isAdding} onClose={() => setAdding(false)} />
      <DeleteDialog apk={apk} isOpen={isDeleting} onClose={() => setDeleting(false)} />
    </div>
  );
}

function ActiveJobs({ sha256 }: { sha256: string }) {
  const jobs = useJobs({ apk: sha256 });
  const active = jobs.data?.results.filter(({ status }) => status === 'running' || status === 'queued') ?? [];
  if (active.length === 0) return null;
  return (
    <div className={styles.activeJobs}>
      {active.map((job) => (
        <JobProgress key={job.id} job={job} />
      ))}
    </div>
  );
}

export function ApkHeader({ apk }: { apk: ApkDetail }) {
  const [fileName] = apk.workstation.file_names;
  const others = apk.workstation.file_names.length - 1;
  const ofPackage = fieldSearch('package', apk.package_name);
  return (
    <header className={styles.header}>
      <AppIcon image={apk.image} size={56} />
      <div className={styles.titleLine}>
        <h1 data-testid="app-name" title={visibleString(apk.app) || undefined}>
          <HostileText value={apk.app === '' ? apkTexts.unnamed : apk.app} max={160} isFixed />
        </h1>
        <Status apk={apk} />
      </div>
      <Actions apk={apk} />
      <div className={styles.facts}>
        {apk.package_name !== '' && (
          <span className={styles.package}>
            <span data-testid="package-name">
              <HostileText value={apk.package_name} max={255} mono />
            </span>
            <CopyButton text={apk.package_name} what={apkTexts.packageName} />
            {ofPackage !== null && (
              <Tooltip label={apkTexts.ofPackage}>
                <ActionIcon component={Link} to={searchAddress(ofPackage)} size="sm" aria-label={apkTexts.ofPackage}>
                  <Icon name="catalogue" size={14} />
                </ActionIcon>
              </Tooltip>
            )}
          </span>
        )}
        <span>
          <HostileText value={apk.version === '' ? '–' : apk.version} max={60} isFixed />
          {apk.version_code !== '' && (
            <span className={styles.faint}>
              {' ('}
              <HostileText value={apk.version_code} max={20} isFixed />)
            </span>
          )}
        </span>
        <span className="tabular">{formatSize(apk.size)}</span>
        {apk.company !== '' && (
          <span>
            <HostileText value={apk.company} max={100} isFixed />
          </span>
        )}
        {fileName !== undefined && (
          <span title={apk.workstation.file_names.map(visibleString).join('\n')} data-testid="file-name">
            <HostileText value={fileName} max={80} isFixed />
            {others > 0 && <span className={styles.faint}> {apkTexts.otherNames(others)}</span>}
          </span>
        )}
        <time dateTime={apk.created_at}>{apkTexts.added(formatFull(apk.created_at))}</time>
      </div>
      <div className={styles.hashes}>
        <Hash name="SHA-256" value={apk.sha256} />
        <Hash name="SHA-1" value={apk.sha1} />
        <Hash name="MD5" value={apk.md5} />
      </div>
      <ActiveJobs sha256={apk.sha256} />
    </header>
  );
}
