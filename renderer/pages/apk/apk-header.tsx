// The head of an APK's page: identity, hashes, verdicts, what can be done with it. Knows nothing of the report.
import { ActionIcon, Button, Menu, Modal, Switch, Tooltip } from '@mantine/core';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import type { ApkDetail } from '../../../server/contract/apk.ts';
import type { AnalysisKind } from '../../../server/contract/job.ts';
import {
  useAccount,
  useAnalyse,
  useDeleteApk,
  useDownloadLink,
  useHealth,
  useJobs,
  useTrust,
} from '../../api/queries.ts';
import { AppIcon } from '../../components/app-icon.tsx';
import { fieldSearch, searchAddress } from '../../components/catalogue-address.ts';
import { Chip } from '../../components/chip.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { formatFull, formatSize } from '../../components/format.ts';
import { HostileText, visibleString } from '../../components/hostile-text.tsx';
import { Icon } from '../../components/icon.tsx';
import { JobProgress } from '../../components/job-progress.tsx';
import { compareAddress } from '../../components/place-address.ts';
import { tellError } from '../../components/tell-error.ts';
import { VerdictChips } from '../../components/verdict-chips.tsx';
import { texts } from '../../texts.ts';
import styles from './apk.module.css';

function Verdicts({ apk }: { apk: ApkDetail }) {
  const jobs = useJobs({ apk: apk.sha256 });
  const latest = jobs.data?.results.find(({ kind }) => kind === 'static');
  const { verdicts } = texts;
  return (
    <>
      <VerdictChips apk={apk} />
      {apk.is_installed && <Chip tone="info">{verdicts.installed}</Chip>}
      {latest?.status === 'partial' && (
        <Chip tone="medium" title={verdicts.partialText}>
          {verdicts.partial}
        </Chip>
      )}
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
    <Modal opened={isOpen} onClose={onClose} title={texts.apk.deleteTitle}>
      <p className={styles.deleteText}>
        <HostileText value={apk.app || apk.package_name} max={120} isFixed />
        <br />
        <code>{apk.sha256}</code>
      </p>
      <p>{texts.apk.deleteText}</p>
      <div className={styles.dialogActions}>
        <Button variant="default" onClick={onClose} data-autofocus>
          {texts.apk.keep}
        </Button>
        <Button
          color="red.8"
          loading={remove.isPending}
          onClick={() =>
            remove.mutate(undefined, {
              onSuccess: () => {
                onClose();
                void navigate('/catalogue');
              },
              onError: tellError,
            })
          }
        >
          {texts.apk.delete}
        </Button>
      </div>
    </Modal>
  );
}

function Actions({ apk }: { apk: ApkDetail }) {
  const account = useAccount();
  const health = useHealth();
  const analyse = useAnalyse(apk.sha256);
  const download = useDownloadLink(apk.sha256);
  const trust = useTrust(apk.sha256);
  const [isDeleting, setDeleting] = useState(false);
  const isOwner = account.data?.role === 'owner';
  const mayTrust = isOwner || account.data?.profile.is_expert === true;
  const kinds = (Object.keys(texts.apk.analyse) as AnalysisKind[]).filter(
    (kind) => health.data?.analyses.includes(kind) ?? kind === 'static',
  );
  return (
    <div className={styles.actions}>
      {mayTrust && (
        <Switch
          size="xs"
          label={texts.verdicts.trusted}
          checked={trust.isPending ? trust.variables : apk.is_trusted}
          onChange={(event) => trust.mutate(event.currentTarget.checked, { onError: tellError })}
        />
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" leftSection={<Icon name="flask" size={14} />} loading={analyse.isPending}>
            {texts.apk.analyseAgain}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {kinds.map((kind) => (
            <Menu.Item key={kind} onClick={() => analyse.mutate(kind, { onError: tellError })}>
              {texts.apk.analyse[kind]}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Tooltip label={texts.compare.withOther}>
        <ActionIcon
          component={Link}
          to={compareAddress(apk.sha256)}
          variant="default"
          aria-label={texts.compare.withOther}
        >
          <Icon name="compare" />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={texts.apk.download}>
        <ActionIcon
          variant="default"
          aria-label={texts.apk.download}
          loading={download.isPending}
          onClick={() =>
            download.mutate(undefined, {
              onSuccess: ({ download_url }) => {
                const link = document.createElement('a');
                link.href = download_url;
                link.download = '';
                link.click();
              },
              onError: tellError,
            })
          }
        >
          <Icon name="download" />
        </ActionIcon>
      </Tooltip>
      {isOwner && (
        <Tooltip label={texts.apk.delete}>
          <ActionIcon variant="default" aria-label={texts.apk.delete} onClick={() => setDeleting(true)}>
            <Icon name="trash" />
          </ActionIcon>
        </Tooltip>
      )}
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
  const ofPackage = fieldSearch('package', apk.package_name);
  return (
    <header className={styles.header}>
      <AppIcon image={apk.image} size={56} />
      <div className={styles.titleLine}>
        <h1 data-testid="app-name" title={visibleString(apk.app) || undefined}>
          <HostileText value={apk.app === '' ? texts.apk.unnamed : apk.app} max={160} isFixed />
        </h1>
        <Verdicts apk={apk} />
      </div>
      <Actions apk={apk} />
      <div className={styles.facts}>
        {apk.package_name !== '' && (
          <span className={styles.package}>
            <span data-testid="package-name">
              <HostileText value={apk.package_name} max={255} mono />
            </span>
            <CopyButton text={apk.package_name} what={texts.apk.packageName} />
            {ofPackage !== null && (
              <Tooltip label={texts.apk.ofPackage}>
                <ActionIcon
                  component={Link}
                  to={searchAddress(ofPackage)}
                  variant="subtle"
                  color="gray"
                  size="sm"
                  aria-label={texts.apk.ofPackage}
                >
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
        <time dateTime={apk.created_at}>{texts.apk.added(formatFull(apk.created_at))}</time>
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
