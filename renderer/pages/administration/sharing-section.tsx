// Sharing on the network: the switch, addresses with QR codes, the authority's certificate, invitations.
import { Button, MultiSelect, Switch, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Settings } from '../../../server/contract/workstation/settings.ts';
import type { SharingBody } from '../../../server/contract/workstation/sharing.ts';
import {
  useInvitations,
  useInvite,
  useReplaceAuthority,
  useRevokeInvitation,
  useSettingChange,
  useSettings,
  useSharing,
} from '../../api/administration-queries.ts';
import { ApiError } from '../../api/client.ts';
import { tellError } from '../../components/form/tell-error.ts';
import styles from '../../components/page/section-page.module.css';
import { Group } from '../../components/page/section-page.tsx';
import { QueryState } from '../../components/page/state-panel.tsx';
import { QrCode } from '../../components/picture/qr-code.tsx';
import { RowDeletion } from '../../components/table/row-deletion.tsx';
import { Table } from '../../components/table/table.tsx';
import { CopyButton } from '../../components/text/copy-button.tsx';
import { formatFull, formatWhen } from '../../components/text/format.ts';
import { HostileText } from '../../components/text/hostile-text.tsx';
import { texts } from '../../texts.ts';
import { NewAccountForm } from './new-account-form.tsx';
import { administrationTexts as words } from './texts.ts';

interface LinesProps {
  name: 'allowed_hosts' | 'trusted_proxies';
  label: string;
  note?: string;
  settings: Settings;
}

/** A setting of many lines, saved when it is left; what was refused stays as it was typed. */
function Lines({ name, label, note, settings }: LinesProps) {
  const change = useSettingChange();
  const saved = settings[name].join('\n');
  const [text, setText] = useState(saved);
  const lines = text.split(/\s+/).filter(Boolean);
  const fields = change.error instanceof ApiError ? Object.keys(change.error.fields) : [];
  // A line at fault is named by its number, `trusted_proxies.0`.
  const faulty = lines.filter((_, index) => fields.includes(`${name}.${index}`));
  return (
    <Textarea
      label={label}
      {...(note === undefined ? {} : { description: note })}
      autosize
      minRows={1}
      value={text}
      error={faulty.length > 0 ? words.notUnderstood(faulty.join(', ')) : (change.error?.message ?? null)}
      onChange={(event) => {
        change.reset();
        setText(event.currentTarget.value);
      }}
      onBlur={() => {
        if (lines.join('\n') !== saved) change.mutate({ [name]: lines });
      }}
    />
  );
}

type SharingSwitch = keyof typeof words.sharingSwitches;

function Options({ settings, sharing }: { settings: Settings; sharing: SharingBody }) {
  const change = useSettingChange();
  const [port, setPort] = useState(String(settings.sharing_port));
  const errors = change.error instanceof ApiError ? change.error.fields : {};
  const names = [...new Set(sharing.interfaces.map(({ name }) => name))];
  const addresses = sharing.interfaces.map(({ address }) => address);
  const known = new Set([...names, ...addresses, ...settings.sharing_addresses]);
  const apply = (changes: object) => change.mutate(changes, { onError: tellError });
  const toggles = (settingNames: readonly SharingSwitch[]) =>
    settingNames.map((name) => (
      <Switch
        key={name}
        {...words.sharingSwitches[name]}
        checked={settings[name]}
        onChange={(event) => apply({ [name]: event.currentTarget.checked })}
      />
    ));
  return (
    <div className={styles.fields}>
      {toggles(['sharing', 'anonymous_upload', 'open_to_guests'])}
      <MultiSelect
        label={words.sharingAddresses}
        placeholder={settings.sharing_addresses.length === 0 ? words.everyAddress : ''}
        data={[...known].map((one) => ({
          value: one,
          label: names.includes(one)
            ? words.interfaceName(one)
            : `${one} ${sharing.interfaces.find(({ address }) => address === one)?.name ?? ''}`.trim(),
        }))}
        value={settings.sharing_addresses}
        onChange={(addresses) => apply({ sharing_addresses: addresses })}
      />
      <TextInput
        label={words.sharingPort}
        inputMode="numeric"
        value={port}
        error={errors.sharing_port?.join(' ') ?? null}
        onChange={(event) => setPort(event.currentTarget.value)}
        onBlur={() => {
          if (port !== String(settings.sharing_port)) apply({ sharing_port: port });
        }}
      />
      {toggles(['sharing_announce', 'sharing_plain_http'])}
      <Lines name="allowed_hosts" label={words.hosts} settings={settings} />
      <Lines name="trusted_proxies" label={words.trustedProxies} note={words.trustedProxiesNote} settings={settings} />
    </div>
  );
}

function Reached({ sharing }: { sharing: SharingBody }) {
  return (
    <>
      {sharing.error !== null && (
        <p role="alert" className={styles.error}>
          {sharing.error}
        </p>
      )}
      {sharing.listeners.map(({ url, address, error }) => (
        <div key={address} className={styles.actions} data-testid="listener">
          {error === null && <QrCode text={`${url}/app/`} label={words.qr(url)} />}
          <span>
            <code>{url}/app/</code> {error !== null && <span className={styles.error}>{words.notServed(error)}</span>}
          </span>
          <CopyButton text={`${url}/app/`} what={words.reached} />
        </div>
      ))}
    </>
  );
}

/** Asked for twice: everybody has to trust the new one first. */
function Replacement() {
  const replace = useReplaceAuthority();
  const [isConfirming, setConfirming] = useState(false);
  if (!isConfirming) {
    return (
      <Button variant="default" onClick={() => setConfirming(true)}>
        {words.replaceAuthority}
      </Button>
    );
  }
  return (
    <div role="alertdialog" aria-label={words.replaceAuthority}>
      <p className={styles.note}>{words.replaceAuthorityAsked}</p>
      <div className={styles.actions}>
        <Button
          color="red.8"
          loading={replace.isPending}
          onClick={() => replace.mutate(undefined, { onSuccess: () => setConfirming(false) })}
        >
          {words.replaceAuthority}
        </Button>
        <Button variant="default" onClick={() => setConfirming(false)}>
          {texts.cancel}
        </Button>
      </div>
    </div>
  );
}

function Authority({ sharing }: { sharing: SharingBody }) {
  const { authority_begins_at: begins, authority_expires_at: expires, former_authority: former } = sharing;
  const names = sharing.names_without_certificate;
  const warnings = [
    sharing.is_authority_unbounded && words.authorityUnbounded,
    begins !== null && new Date(begins).getTime() > Date.now() && words.authorityEarly(formatFull(begins)),
    names.length > 0 && words.namesWithoutCertificate(names.join(', ')),
    former !== null && words.authorityFollows(former.fingerprint, formatFull(former.expires_at)),
  ].filter((warning) => warning !== false);
  return (
    <Group title={words.authority} note={words.authorityNote}>
      <p className={styles.note}>
        {words.fingerprint} <code>{sharing.authority_fingerprint}</code>
        <CopyButton text={sharing.authority_fingerprint} what={words.fingerprint} />
      </p>
      {warnings.map((warning) => (
        <p key={warning} role="alert" className={styles.error}>
          {warning}
        </p>
      ))}
      {expires !== null && <p className={styles.note}>{words.authorityEnds(formatFull(expires))}</p>}
      {sharing.certificate_expires_at !== null && (
        <p className={styles.note}>{words.certificateEnds(formatFull(sharing.certificate_expires_at))}</p>
      )}
      <div className={styles.actions}>
        <Button component="a" href="/ca.crt" variant="default">
          {words.downloadAuthority}
        </Button>
        <Replacement />
      </div>
    </Group>
  );
}

function Invitations() {
  const invitations = useInvitations();
  const invite = useInvite();
  const revoke = useRevokeInvitation();
  return (
    <Group title={words.invitations} note={words.invitationsNote}>
      <NewAccountForm
        action={words.invite}
        isPending={invite.isPending}
        onSubmit={(account, onSuccess) => invite.mutate(account, { onSuccess })}
      />
      {invite.data !== undefined && (
        <div className={`${styles.secret} ${styles.line}`} role="status">
          <span>
            {words.invitationLink} <code data-testid="invitation-link">{invite.data.invitation_url}</code>
          </span>
          <CopyButton text={invite.data.invitation_url} what={words.invitationLink} />
        </div>
      )}
      <QueryState query={invitations} />
      {invitations.isSuccess && invitations.data.results.length === 0 && (
        <p className={styles.empty}>{words.noInvitations}</p>
      )}
      {invitations.isSuccess && invitations.data.results.length > 0 && (
        <Table
          columns={[words.invitationColumns.name, words.invitationColumns.state, { label: words.action, as: 'hidden' }]}
        >
          {invitations.data.results.map((one) => {
            const isLapsed = new Date(one.expires_at).getTime() < Date.now();
            return (
              <tr key={one.id} data-testid="invitation">
                <td>
                  <HostileText value={one.username} max={80} isFixed />
                </td>
                <td>
                  {one.used_at !== null
                    ? words.invited.used(formatWhen(one.used_at))
                    : isLapsed
                      ? words.invited.lapsed
                      : words.invited.open(formatFull(one.expires_at))}
                </td>
                <td>
                  <RowDeletion
                    text={words.takeBack}
                    label={words.takeBackLabel(one.username)}
                    onClick={() => revoke.mutate(one.id)}
                  />
                </td>
              </tr>
            );
          })}
        </Table>
      )}
    </Group>
  );
}

export function SharingSection() {
  const settings = useSettings();
  const sharing = useSharing();
  if (!settings.isSuccess) return <QueryState query={settings} />;
  if (!sharing.isSuccess) return <QueryState query={sharing} />;
  return (
    <>
      <Group title={words.sections.sharing} note={words.sharingNote}>
        <Options settings={settings.data} sharing={sharing.data} />
      </Group>
      {sharing.data.is_on && (
        <Group title={words.reached}>
          <Reached sharing={sharing.data} />
        </Group>
      )}
      <Authority sharing={sharing.data} />
      <Invitations />
    </>
  );
}
