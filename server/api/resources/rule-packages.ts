// Packages of rulesets over HTTP: imported, updated, switched, removed.
import type { rulePackageOperations } from '../../contract/operations/rule-packages.ts';
import { accepted, type Handlers, noContent, ok } from '../operation.ts';
import { wholeList } from '../paging.ts';
import { presentJob } from '../presenters/job.ts';
import { presentRulePackage, presentRulePackageDetail } from '../presenters/rules/rule-package.ts';
import { uploadedFile } from '../uploaded-file.ts';

export const rulePackageHandlers: Handlers<typeof rulePackageOperations> = {
  'GET /rule-packages/': async ({ presenting, services: { rulePackages } }) => {
    const imports = (await rulePackages.imports()).map(({ source, job }) => ({
      source,
      job: presentJob(presenting, job, null),
    }));
    return ok({ ...wholeList((await rulePackages.all()).map(presentRulePackage)), imports });
  },

  'POST /rule-packages/': async ({ request, query, account, presenting, services: { intake, rulePackages } }) => {
    const maxBytes = await intake.maxBytes();
    const { bytes, name: fileName } = await uploadedFile(request, maxBytes);
    const { name, version, licence, source, is_enabled: isEnabled, is_public: isPublic } = query;
    const wish = { name, version, licence, source, fileName: fileName || query.file_name, isEnabled, isPublic };
    return accepted(presentJob(presenting, await rulePackages.requestImport(account, wish, bytes, maxBytes), null));
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
