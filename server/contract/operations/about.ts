// What the program is made of, over HTTP, for everybody who is signed in.
import { aboutSchema } from '../workstation/about.ts';
import type { Operations } from './operation.ts';

export const aboutOperations = {
  'GET /about/': {
    summary: 'Version, and the packages in the program with their licences',
    access: 'token',
    refusals: ['papers-missing'],
    answers: { 200: aboutSchema },
  },
  'GET /about/notices/': {
    summary: 'The licence texts of all packages in the program',
    access: 'token',
    refusals: ['papers-missing'],
    answers: { 200: ['text/plain'] },
  },
  'GET /about/bill_of_materials/': {
    summary: 'The software bill of materials, CycloneDX 1.6',
    access: 'token',
    refusals: ['papers-missing'],
    answers: { 200: ['application/vnd.cyclonedx+json'] },
  },
} satisfies Operations;
