// Sharing on the network over HTTP: how it stands, invitations, the authority's certificate.
import {
  createdInvitationSchema,
  invitationListSchema,
  newInvitationSchema,
  type SharingBody,
  sharingSchema,
} from '../../contract/sharing.ts';
import { Failure } from '../../services/failure.ts';
import type { AccountRecord } from '../../services/people/accounts.ts';
import type { InvitationRecord } from '../../services/people/invitations.ts';
import { isAllowed } from '../../services/policies.ts';
import type { SharingState } from '../../services/sharing/sharing.ts';
import { created, noContent, ok, operation, type Resource } from '../operation.ts';
import { type Presenting, timestamp, timestampOrNull } from '../presenters/presenting.ts';

function check(account: AccountRecord): void {
  if (!isAllowed(account, 'sharing.manage')) throw new Failure('not-allowed');
}

const time = (milliseconds: number) => timestamp(milliseconds * 1000);

function presentSharing({ authority: made, certificate, ...state }: SharingState): SharingBody {
  return {
    is_on: state.isOn,
    is_tls: state.isTls,
    listeners: state.listeners,
    interfaces: state.interfaces,
    authority_fingerprint: made?.fingerprint ?? '',
    authority_begins_at: made === null ? null : time(made.begins),
    authority_expires_at: made === null ? null : time(made.expires),
    former_authority:
      made?.former == null ? null : { fingerprint: made.former.fingerprint, expires_at: time(made.former.expires) },
    is_authority_unbounded: made?.isUnbounded ?? false,
    names_without_certificate: made?.uncovered ?? [],
    certificate_fingerprint: certificate?.fingerprint ?? null,
    certificate_expires_at: certificate === null ? null : time(certificate.expires),
    error: state.error,
  };
}

const show = operation(
  {
    summary:
      'How the workstation is shared on the network; the settings whose names begin with sharing change it (owner)',
    access: 'token',
    answers: { 200: sharingSchema },
  },
  async ({ account, services: { sharing } }) => {
    check(account);
    return ok(presentSharing(await sharing.state()));
  },
);

const replaceAuthority = operation(
  {
    summary:
      'Makes another authority with a key of its own; teammates trust it once they fetched /ca.crt again (owner)',
    access: 'token',
    answers: { 201: sharingSchema },
  },
  async ({ account, services: { sharing } }) => {
    check(account);
    await sharing.replaceAuthority();
    return created(presentSharing(await sharing.state()));
  },
);

const authority = operation(
  {
    summary: "The certificate of this machine's own authority, PEM, for clients to trust",
    access: 'anybody',
    answers: { 200: ['application/x-x509-ca-cert'] },
  },
  async ({ response, services: { sharing } }) => {
    response.set('Content-Disposition', 'attachment; filename="apk-workstation-ca.crt"');
    response.type('application/x-x509-ca-cert').send(Buffer.from((await sharing.authority())?.certificate ?? ''));
    return null;
  },
);

function presentInvitation({ ids }: Presenting, invitation: InvitationRecord, username: string) {
  return {
    id: ids.encode('invitation', invitation.id),
    username,
    created_at: timestamp(invitation.createdAt),
    expires_at: timestamp(invitation.expiresAt),
    used_at: timestampOrNull(invitation.usedAt),
  };
}

const listInvitations = operation(
  { summary: 'Invitations, newest first (owner)', access: 'token', answers: { 200: invitationListSchema } },
  async ({ account, presenting, services: { invitations, accounts } }) => {
    check(account);
    const all = await invitations.list();
    const invited = await accounts.findByIds(all.map(({ accountId }) => accountId));
    const results = all.map((one) => presentInvitation(presenting, one, invited.get(one.accountId)?.username ?? ''));
    return ok({ count: results.length, next: null, previous: null, results });
  },
);

const invite = operation(
  {
    summary: 'Invites somebody by a link that logs in once; the account is made where there is none (owner)',
    access: 'token',
    bodySchema: newInvitationSchema,
    answers: { 201: createdInvitationSchema },
  },
  async ({ account, body, presenting, services: { invitations, sharing } }) => {
    check(account);
    const { invitation, account: invited, code } = await invitations.create(body.username, body.api_group, body.hours);
    return created({
      ...presentInvitation(presenting, invitation, invited.username),
      invitation_url: `${sharing.address() ?? presenting.baseUrl}/app/#/login?code=${code}`,
    });
  },
);

const revokeInvitation = operation(
  { summary: 'Takes an invitation back (owner)', access: 'token', answers: { 204: null } },
  async ({ account, params, services: { invitations, ids } }) => {
    check(account);
    const id = ids.decode('invitation', params.id!);
    if (id === null || !(await invitations.revoke(id))) throw new Failure('not-found');
    return noContent;
  },
);

export const sharingResources: Resource[] = [
  { path: '/sharing', operations: { get: show } },
  { path: '/sharing/authority', operations: { post: replaceAuthority } },
  { path: '/ca.crt', operations: { get: authority } },
  { path: '/invitations', operations: { get: listInvitations, post: invite } },
  { path: '/invitations/:id', operations: { delete: revokeInvitation } },
];
