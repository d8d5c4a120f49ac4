// Sharing on the network over HTTP: how it stands, invitations, the authority's certificate.
import type { sharingOperations } from '../../contract/operations/sharing.ts';
import { Failure } from '../../services/failure.ts';
import { created, type Handlers, noContent, ok } from '../operation.ts';
import { wholeList } from '../paging.ts';
import { presentInvitation, presentSharing } from '../presenters/sharing.ts';

export const sharingHandlers: Handlers<typeof sharingOperations> = {
  'GET /sharing/': async ({ services: { sharing } }) => {
    return ok(presentSharing(await sharing.state()));
  },

  'POST /sharing/authority/': async ({ services: { sharing } }) => {
    await sharing.replaceAuthority();
    return created(presentSharing(await sharing.state()));
  },

  'GET /ca.crt/': async ({ response, services: { sharing } }) => {
    response.set('Content-Disposition', 'attachment; filename="apk-workstation-ca.crt"');
    response.type('application/x-x509-ca-cert').send(Buffer.from((await sharing.authority())?.certificate ?? ''));
    return null;
  },

  'GET /invitations/': async ({ presenting, services: { invitations, accounts } }) => {
    const all = await invitations.list();
    const invited = await accounts.findByIds(all.map(({ accountId }) => accountId));
    return ok(
      wholeList(all.map((one) => presentInvitation(presenting, one, invited.get(one.accountId)?.username ?? ''))),
    );
  },

  'POST /invitations/': async ({ body, presenting, services: { invitations, sharing } }) => {
    const { invitation, account: invited, code } = await invitations.create(body.username, body.api_group, body.hours);
    return created({
      ...presentInvitation(presenting, invitation, invited.username),
      invitation_url: `${sharing.address() ?? presenting.baseUrl}/app/#/login?code=${code}`,
    });
  },

  'DELETE /invitations/<id>/': async ({ params, services: { invitations, ids } }) => {
    const id = ids.decode('invitation', params.id);
    if (id === null || !(await invitations.revoke(id))) throw new Failure('not-found');
    return noContent;
  },
};
