// Sets up an empty MongoDB: a replica set of this one member (transactions and majority writes need one), its administrator, and
// a user for each process, who may use only the database of that process. Skips the steps that are already done, so that the next
// start completes one that was interrupted. Passwords come from the environment, where no process list shows them.
const processes = ['gateway', 'pricing', 'commerce', 'cart', 'events', 'activity'];
const admin = db.getSiblingDB('admin');
const root = { user: process.env.MONGO_INITDB_ROOT_USERNAME, pwd: process.env.MONGO_INITDB_ROOT_PASSWORD };

const hasRoot = signIn();
try {
  rs.initiate({ _id: 'rs0', members: [{ _id: 0, host: process.env.MONGO_MEMBER }] });
} catch (error) {
  if (error.codeName !== 'AlreadyInitialized') throw error;
}
while (!db.hello().isWritablePrimary) sleep(100);

if (!hasRoot) {
  // As long as there are no users, MongoDB lets a local client create the first one.
  admin.createUser({ ...root, roles: ['root'] });
  admin.auth(root);
}
for (const name of processes) {
  const pwd = process.env[`MONGO_${name.toUpperCase()}_PASSWORD`];
  const roles = [{ role: 'readWrite', db: `event_commerce_${name}` }];
  // Updates changed passwords, too.
  if (admin.getUser(name) === null) admin.createUser({ user: name, pwd, roles });
  else admin.updateUser(name, { pwd, roles });
}

function signIn() {
  try {
    return admin.auth(root).ok === 1;
  } catch (error) {
    if (error.codeName !== 'AuthenticationFailed') throw error;
    return false;
  }
}
