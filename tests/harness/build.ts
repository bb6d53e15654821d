/** Builds what the processes of a platform run, before tests that need no other servers. */
export { build as default } from '../../tools/build.ts';
