// Ends with 0 when this server takes writes. At the first start it makes the replica set, of this one member:
// transactions and majority writes need one. The password comes from the environment, so that no process list shows it.
const admin = db.getSiblingDB('admin');
admin.auth(process.env.MONGO_INITDB_ROOT_USERNAME, process.env.MONGO_INITDB_ROOT_PASSWORD);

try {
  rs.status();
} catch (error) {
  if (error.codeName !== 'NotYetInitialized') throw error;
  rs.initiate({ _id: 'rs0', members: [{ _id: 0, host: process.env.MONGO_MEMBER }] });
}
quit(db.hello().isWritablePrimary ? 0 : 1);
