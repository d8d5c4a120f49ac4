// Sharing on the network over HTTP: how it stands, invitations, the authority's certificate.
import {
  createdInvitationSchema,
  invitationListSchema,
  newInvitationSchema,
  sharingSchema,
} from '../workstation/sharing.ts';
import type { Operations } from './operation.ts';

export const sharingOperations = {
  'GET /sharing/': {
    summary:
      'How the workstation is shared on the network; the settings whose names begin with sharing change it (owner)',
    access: 'token',
    policy: 'sharing.manage',
    answers: { 200: sharingSchema },
  },
  'POST /sharing/authority/': {
    summary:
      'Makes another authority with a key of its own; teammates trust it once they fetched /ca.crt again (owner)',
    access: 'token',
    policy: 'sharing.manage',
    answers: { 201: sharingSchema },
  },
  'GET /ca.crt/': {
    summary: "The certificate of this machine's own authority, PEM, for clients to trust",
    access: 'anybody',
    answers: { 200: ['application/x-x509-ca-cert'] },
  },
  'GET /invitations/': {
    summary: 'Invitations, newest first (owner)',
    access: 'token',
    policy: 'sharing.manage',
    answers: { 200: invitationListSchema },
  },
  'POST /invitations/': {
    summary: 'Invites somebody by a link that logs in once; the account is made where there is none (owner)',
    access: 'token',
    policy: 'sharing.manage',
    body: newInvitationSchema,
    answers: { 201: createdInvitationSchema },
  },
  'DELETE /invitations/<id>/': {
    summary: 'Revokes an invitation (owner)',
    access: 'token',
    policy: 'sharing.manage',
    answers: { 204: null },
  },
} satisfies Operations;
