// Packages of rulesets over HTTP: imported, updated, switched, removed.
import type { rulePackageOperations } from '../../contract/operations/rule-packages.ts';
import { accepted, type Handlers, noContent, ok } from '../operation.ts';
import { wholeList } from '../paging.ts';
import { presentJob } from '../presenters/job.ts';
import {
  presentPackagePreview,
  presentRulePackage,
  presentRulePackageDetail,
} from '../presenters/rules/rule-package.ts';
import { uploadedFile } from '../uploaded-file.ts';

export const rulePackageHandlers: Handlers<typeof rulePackageOperations> = {
  'GET /rule-packages/': async ({ presenting, services: { rulePackages } }) => {
    const imports = (await rulePackages.imports()).map(({ source, isPreview, job }) => ({
      source,
      is_preview: isPreview,
      job: presentJob(presenting, job, null),
    }));
    return ok({ ...wholeList((await rulePackages.all()).map(presentRulePackage)), imports });
  },

  'POST /rule-packages/': async ({ request, query, account, presenting, services: { intake, rulePackages } }) => {
    const maxBytes = await intake.maxBytes();
    const { bytes, name: fileName } = await uploadedFile(request, maxBytes);
    const { name, version, licence, source, is_enabled: isEnabled, is_public: isPublic, preview: isPreview } = query;
    const said = { name, version, licence, source, fileName: fileName || query.file_name };
    const wish = { ...said, isEnabled, isPublic, isPreview };
    return accepted(presentJob(presenting, await rulePackages.requestImport(account, wish, bytes, maxBytes), null));
  },

  'GET /rule-packages/previews/<id>/': async ({ params, services: { ids, rulePackages } }) =>
    ok(presentPackagePreview(rulePackages.previewed(ids.decode('job', params.id)))),

  'POST /rule-packages/previews/<id>/': async ({ params, account, presenting, services: { ids, rulePackages } }) => {
    const job = await rulePackages.importPreviewed(account, ids.decode('job', params.id));
    return accepted(presentJob(presenting, job, null));
  },

  'DELETE /rule-packages/previews/<id>/': async ({ params, services: { ids, rulePackages } }) => {
    await rulePackages.discardPreviewed(ids.decode('job', params.id));
    return noContent;
  },

  'GET /rule-packages/<name>/': async ({ params, services: { rulePackages } }) =>
    ok(presentRulePackageDetail(await rulePackages.get(params.name))),

  'PATCH /rule-packages/<name>/': async ({ params, body, services: { rulePackages } }) =>
    ok(presentRulePackageDetail(await rulePackages.enable(params.name, body.is_enabled))),

  'DELETE /rule-packages/<name>/': async ({ params, services: { rulePackages } }) => {
    await rulePackages.remove(params.name);
    return noContent;
  },
};
