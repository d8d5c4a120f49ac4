// The pages that one goes to by name, one row each: where they stand, their key, how they are loaded. Knows no content.
import type { ComponentType } from 'react';
import type { IconName } from '../components/picture/icon.tsx';
import { jobsTexts } from '../components/status/texts.ts';
import { aboutTexts } from './about/texts.ts';
import { accountTexts } from './account/texts.ts';
import { analystsTexts } from './analysts/texts.ts';
import { casesTexts } from './cases/texts.ts';
import { catalogueTexts } from './catalogue/texts.ts';
import { dashboardTexts } from './dashboard/texts.ts';
import { dismissalsTexts } from './dismissals/texts.ts';
import { familiesTexts } from './families/texts.ts';
import { feedsTexts } from './feeds/texts.ts';
import { likeTexts } from './like/texts.ts';
import { notificationsTexts } from './notifications/texts.ts';
import { rulesetsTexts } from './rulesets/texts.ts';
import { trashTexts } from './trash/texts.ts';

interface Page {
  readonly address: string;
  /** Further parts of the address, as routes write them. */
  readonly rest?: string;
  readonly title: string;
  readonly icon: IconName;
  /** After `g` it leads there from anywhere. */
  readonly key?: string;
  /** Where the navigation at the left edge has it too. */
  readonly isOnRail?: true;
  readonly load: () => Promise<{ Component: ComponentType }>;
}

/** In the order of a day's work. */
export const pages: readonly Page[] = [
  {
    address: '/catalogue',
    title: catalogueTexts.title,
    icon: 'catalogue',
    key: 'c',
    isOnRail: true,
    load: () => import('./catalogue/catalogue-page.tsx'),
  },
  {
    address: '/dashboard',
    title: dashboardTexts.title,
    icon: 'dashboard',
    key: 'd',
    isOnRail: true,
    load: () => import('./dashboard/dashboard-page.tsx'),
  },
  {
    address: '/families',
    title: familiesTexts.title,
    icon: 'families',
    key: 'f',
    isOnRail: true,
    load: () => import('./families/families-page.tsx'),
  },
  {
    address: '/cases',
    title: casesTexts.title,
    icon: 'folder',
    key: 'e',
    isOnRail: true,
    load: () => import('./cases/cases-page.tsx'),
  },
  {
    address: '/like',
    title: likeTexts.title,
    icon: 'similar',
    key: 'l',
    load: () => import('./like/like-page.tsx'),
  },
  {
    address: '/jobs',
    title: jobsTexts.title,
    icon: 'jobs',
    key: 'j',
    isOnRail: true,
    load: () => import('./jobs/jobs-page.tsx'),
  },
  {
    address: '/rulesets',
    title: rulesetsTexts.title,
    icon: 'rulesets',
    key: 'r',
    isOnRail: true,
    load: () => import('./rulesets/rulesets-page.tsx'),
  },
  {
    address: '/dismissals',
    title: dismissalsTexts.title,
    icon: 'check',
    key: 'x',
    load: () => import('./dismissals/dismissals-page.tsx'),
  },
  { address: '/trash', title: trashTexts.title, icon: 'trash', key: 't', load: () => import('./trash/trash-page.tsx') },
  {
    address: '/analysts',
    title: analystsTexts.title,
    icon: 'people',
    isOnRail: true,
    load: () => import('./analysts/analysts-page.tsx'),
  },
  {
    address: '/feeds',
    title: feedsTexts.title,
    icon: 'feed',
    isOnRail: true,
    load: () => import('./feeds/feeds-page.tsx'),
  },
  {
    address: '/notifications',
    title: notificationsTexts.title,
    icon: 'bell',
    key: 'n',
    load: () => import('./notifications/notifications-page.tsx'),
  },
  {
    address: '/account',
    rest: '/:section?',
    title: accountTexts.title,
    icon: 'person',
    load: () => import('./account/account-page.tsx'),
  },
  { address: '/about', title: aboutTexts.title, icon: 'shield', load: () => import('./about/about-page.tsx') },
];
