/** What both documents say about their owner. */
export const ABOUT = {
  contact: { name: 'The operator of this platform' },
  license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
};
