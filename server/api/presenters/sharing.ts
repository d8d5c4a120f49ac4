// How the workstation is shared on the network, and who is invited to it, in their current shape.
import type { z } from 'zod';
import type { invitationListSchema, SharingBody } from '../../contract/workstation/sharing.ts';
import type { InvitationRecord } from '../../services/people/invitations.ts';
import type { SharingState } from '../../services/sharing/sharing.ts';
import { type Presenting, timestamp, timestampOrNull } from './presenting.ts';

const time = (milliseconds: number) => timestamp(milliseconds * 1000);

export function presentSharing({ authority: made, certificate, ...state }: SharingState): SharingBody {
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

export function presentInvitation(
  { ids }: Presenting,
  invitation: InvitationRecord,
  username: string,
): z.infer<typeof invitationListSchema>['results'][number] {
  return {
    id: ids.encode('invitation', invitation.id),
    username,
    created_at: timestamp(invitation.createdAt),
    expires_at: timestamp(invitation.expiresAt),
    used_at: timestampOrNull(invitation.usedAt),
  };
}
