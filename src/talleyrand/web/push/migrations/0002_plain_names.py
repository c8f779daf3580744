from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("notices", "0002_plain_names"),
        ("push", "0001_initial"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="Push",
            name="pushed_once",
        ),
        migrations.RemoveIndex(
            model_name="Push",
            name="pushes_waiting",
        ),
        migrations.RenameModel(
            old_name="Device",
            new_name="PushDevice",
        ),
        migrations.RenameModel(
            old_name="Push",
            new_name="PushMessage",
        ),
        migrations.RenameField(
            model_name="PushDevice",
            old_name="digest",
            new_name="endpoint_digest",
        ),
        migrations.RenameField(
            model_name="PushDevice",
            old_name="known",
            new_name="p256dh",
        ),
        migrations.RenameField(
            model_name="PushDevice",
            old_name="shared",
            new_name="auth_secret",
        ),
        migrations.RenameField(
            model_name="PushDevice",
            old_name="session",
            new_name="session_key",
        ),
        migrations.RenameField(
            model_name="PushDevice",
            old_name="made",
            new_name="created_at",
        ),
        migrations.RenameField(
            model_name="PushDevice",
            old_name="reached",
            new_name="last_delivered_at",
        ),
        migrations.RenameField(
            model_name="PushMessage",
            old_name="notice",
            new_name="notification",
        ),
        migrations.RenameField(
            model_name="PushMessage",
            old_name="made",
            new_name="created_at",
        ),
        migrations.RenameField(
            model_name="PushMessage",
            old_name="due",
            new_name="due_at",
        ),
        migrations.RenameField(
            model_name="PushMessage",
            old_name="tries",
            new_name="attempts",
        ),
        migrations.RenameField(
            model_name="PushMessage",
            old_name="sent",
            new_name="sent_at",
        ),
        migrations.RenameField(
            model_name="PushMessage",
            old_name="dropped",
            new_name="drop_reason",
        ),
        migrations.RenameField(
            model_name="PushMessage",
            old_name="worker",
            new_name="claimed_by",
        ),
        migrations.RenameField(
            model_name="PushMessage",
            old_name="worker_until",
            new_name="claimed_until",
        ),
        migrations.AlterModelOptions(
            name="pushdevice",
            options={"ordering": ["created_at", "id"]},
        ),
        migrations.AddIndex(
            model_name="pushmessage",
            index=models.Index(
                condition=models.Q(("drop_reason", ""), ("sent_at", None)),
                fields=["due_at"],
                name="pushes_waiting",
            ),
        ),
        migrations.AddConstraint(
            model_name="pushmessage",
            constraint=models.UniqueConstraint(fields=("device", "notification"), name="pushed_once"),
        ),
    ]
