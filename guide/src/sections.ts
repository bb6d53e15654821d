/** The files and folders that the guide's pages are made from. */
export const MARKDOWN = [
  'README.md',
  'ARCHITECTURE.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'docs',
  'libs/client/README.md',
  'deploy/mongo-stand-in/README.md',
];

/** What the guide's menu lists, by the files of the pages. What it does not list is reached from the pages. */
export const SECTIONS: readonly { title: string; files: readonly string[] }[] = [
  { title: 'Use', files: ['README.md', 'docs/using-the-api.md', 'libs/client/README.md', 'CHANGELOG.md'] },
  {
    title: 'Operate',
    files: [
      'docs/operating/README.md',
      'docs/operating/compose.md',
      'docs/operating/kubernetes.md',
      'docs/first-deployment.md',
      'docs/settings.md',
      'docs/operating/security.md',
      'docs/operating/backup.md',
      'docs/operating/upgrades.md',
      'docs/operating/metrics.md',
      'docs/operating/quotas.md',
      'docs/operating/repairs.md',
      'docs/scaling.md',
      'docs/performance.md',
    ],
  },
  {
    title: 'Change',
    files: ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'docs/extending.md', 'docs/decisions/README.md', 'SECURITY.md'],
  },
];
