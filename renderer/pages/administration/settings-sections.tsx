// Sections that are nothing but settings: sessions, analysis, antivirus, mail.
import { useHealth } from '../../api/queries.ts';
import { Group } from '../../components/page/section-page.tsx';
import { OutdatedAnalyses } from '../../components/status/outdated-analyses.tsx';
import { Chip } from '../../components/text/chip.tsx';
import { HostileText } from '../../components/text/hostile-text.tsx';
import { SettingForm } from './setting-form.tsx';
import { administrationTexts as words } from './texts.ts';

export function AnalysisSection() {
  const health = useHealth();
  return (
    <Group
      title={words.sections.analysis}
      note={
        health.data === undefined ? undefined : words.workers(health.data.workers, String(health.data.engine_version))
      }
    >
      <OutdatedAnalyses />
      <SettingForm
        fields={[
          { name: 'analyze_static_on_upload', kind: 'switch' },
          { name: 'analyze_yara_on_upload', kind: 'switch' },
          { name: 'analyze_dynamic_on_upload', kind: 'switch' },
          { name: 'content_index', kind: 'switch' },
          { name: 'upload_max_bytes', kind: 'bytes' },
          { name: 'archive_passwords', kind: 'lines' },
          { name: 'detection_rating', kind: 'number' },
          { name: 'ruleset_delay_minutes', kind: 'minutes' },
        ]}
      />
    </Group>
  );
}

export function SessionsSection() {
  return (
    <Group title={words.sections.sessions} note={words.sessionsNote}>
      <SettingForm
        fields={[
          { name: 'session_idle_minutes', kind: 'minutes' },
          { name: 'session_days', kind: 'days' },
        ]}
      />
    </Group>
  );
}

export function AntivirusSection() {
  const health = useHealth();
  const state = health.data?.antivirus;
  return (
    <Group title={words.sections.antivirus}>
      {state !== undefined && (
        <p>
          <Chip tone={state.status === 'ok' ? 'good' : state.status === 'off' ? 'quiet' : 'high'}>{state.status}</Chip>{' '}
          {state.message !== null && <HostileText value={state.message} max={300} />}
        </p>
      )}
      <SettingForm
        fields={[
          { name: 'antivirus', kind: 'choice', choices: words.antivirusChoices },
          { name: 'antivirus_address', kind: 'text' },
          { name: 'antivirus_program', kind: 'text' },
          { name: 'antivirus_database', kind: 'text' },
          { name: 'antivirus_timeout_seconds', kind: 'seconds' },
        ]}
      />
    </Group>
  );
}

export function MailSection() {
  return (
    <Group title={words.sections.mail} note={words.mailNote}>
      <SettingForm
        fields={[
          { name: 'smtp_host', kind: 'text', placeholder: 'mail.example.org' },
          { name: 'smtp_port', kind: 'number' },
          { name: 'smtp_secure', kind: 'switch' },
          { name: 'smtp_user', kind: 'text' },
          { name: 'smtp_password', kind: 'secret' },
          { name: 'smtp_from', kind: 'text' },
          { name: 'public_url', kind: 'text', placeholder: 'https://apks.example.org' },
        ]}
      />
    </Group>
  );
}
