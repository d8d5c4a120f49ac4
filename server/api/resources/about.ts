// What the program is made of, over HTTP, for everybody who is signed in.
import { aboutSchema } from '../../contract/about.ts';
import { billOfMaterials, shippedPackages, thirdPartyNotices } from '../../services/papers.ts';
import { ok, operation, type Resource } from '../operation.ts';

const about = operation(
  {
    summary: 'Version, and the packages in the program with their licences',
    access: 'token',
    refusals: ['papers-missing'],
    answers: { 200: aboutSchema },
  },
  async ({ presenting: { baseUrl }, services: { version } }) =>
    ok({
      version,
      packages: await shippedPackages(),
      notices_url: `${baseUrl}/about/notices/`,
      bill_of_materials_url: `${baseUrl}/about/bill_of_materials/`,
    }),
);

const notices = operation(
  {
    summary: 'The licence texts of all packages in the program',
    access: 'token',
    refusals: ['papers-missing'],
    answers: { 200: ['text/plain'] },
  },
  async ({ response }) => {
    response.type('text/plain').send(await thirdPartyNotices());
    return null;
  },
);

const bill = operation(
  {
    summary: 'The software bill of materials, CycloneDX 1.6',
    access: 'token',
    refusals: ['papers-missing'],
    answers: { 200: ['application/vnd.cyclonedx+json'] },
  },
  async ({ response }) => {
    response
      .attachment('apk-workstation.cdx.json')
      .type('application/vnd.cyclonedx+json')
      .send(await billOfMaterials());
    return null;
  },
);

export const aboutResources: Resource[] = [
  { path: '/about', operations: { get: about } },
  { path: '/about/notices', operations: { get: notices } },
  { path: '/about/bill_of_materials', operations: { get: bill } },
];
