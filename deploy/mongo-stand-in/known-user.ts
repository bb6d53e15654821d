/** A user of the stand-in. */
export interface KnownUser {
  readonly user: string;
  readonly password: string;
  /** The user reads and writes only databases whose names end with this. Without it the user may do everything. */
  readonly databaseSuffix?: string;
}
